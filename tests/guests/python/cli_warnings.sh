python3 -W error -c 'import warnings; warnings.warn("w")'; echo $?
python3 -W ignore -c 'import warnings; warnings.warn("quiet")'; echo $?
PYTHONWARNINGS=error::UserWarning python3 -c 'import warnings, sys; print(sys.warnoptions); warnings.warn("w")'; echo $?
python3 -c 'import warnings; warnings.warn("shown")'

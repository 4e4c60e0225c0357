# files of libjpeg-turbo: progressive with refined coefficients, and baseline with restart markers; both with fewer pixels of colour
cd "$(mktemp -d)" || exit 1
base64 -d > progressive.jpg <<'END'
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAUDBAQEAwUEBAQFBQUGBwwIBwcHBw8LCwkMEQ8SEhEPERETFhwXExQaFRERGCEYGh0dHx8fExciJCIeJBweHx7/
2wBDAQUFBQcGBw4ICA4eFBEUHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh7/wgARCAAoADgDASIAAhEBAxEB/8QA
GQABAQEBAQEAAAAAAAAAAAAABAACBQMH/8QAGAEBAAMBAAAAAAAAAAAAAAAABQIEBgf/2gAMAwEAAhADEAAAAfmqH72FEG3pzbwWuXcXBdSirxdvSJxoDXru
LA9XbrMgurANcltLcYX6VNjftWYeZUil/8QAGBAAAwEBAAAAAAAAAAAAAAAAAAIDARL/2gAIAQEAAQUCWZiHBiCzEkZMxDgxBZiSMmcHBiCzEkZM4ODEFmJI
yZwcCzFmJIyZwcCzEkf/xAAaEQADAQEBAQAAAAAAAAAAAAAAAwQCEQEh/9oACAEDAQE/AZ6Ok9HBVYt/wno4KrJnmKfgpmibfojfplmuH//EABwRAAIDAQEB
AQAAAAAAAAAAAAECAAMEEQUhEv/aAAgBAgEBPwHRtWpeCW6muaUKEHTLPRVTyW6muaUKEHTNnohBwRr2c9mVRNlzKvyPYzt9lSj8z//EABQQAQAAAAAAAAAA
AAAAAAAAAFD/2gAIAQEABj8CD//EABYQAQEBAAAAAAAAAAAAAAAAAABhAf/aAAgBAQABPyGaLCaaCSLCaaCTDCaaCTDCaaCTDCCaCTDCCD//2gAMAwEAAgAD
AAAAEIXSMnOizfnAQ//EABoRAQEBAQEBAQAAAAAAAAAAAAEAIRExQVH/2gAIAQMBAT8QZGwg27fZX3CDbtzbrzYj3fqkpscL7l//xAAZEQEBAQEBAQAAAAAA
AAAAAAABABEQITH/2gAIAQIBAT8Q2RZoeY8mbNDzG4eWbvskwr0OzL//xAAZEAEBAQEBAQAAAAAAAAAAAAABABFBYTH/2gAIAQEAAT8QwCYE8JVm6TDIQEAJ
4SrN8mGQgJhy8JVm+TDJkEw5b8tWbpMMhBMOW78nUm+T4Qgnhb8nUnyn/9k=
END
base64 -d > restarts.jpg <<'END'
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/
2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAoADgDASEAAhEBAxEB/8QA
GQAAAgMBAAAAAAAAAAAAAAAABAUAAwYH/8QAHhAAAgEEAwEAAAAAAAAAAAAAAAQRAQMhMQIFQWH/xAAaAQEAAwEBAQAAAAAAAAAAAAAGBAUHAQMI/8QAHhEA
AgMBAAMBAQAAAAAAAAAAAAMBBBECBSEiEjH/3QAEAAP/2gAMAwEAAhEDEQA/AOCroRGAzgpHhqvbYUsjVX7JbRX4XW058BHkrks6wWUm4HrITGBst18Rg7Q4
33IiRYP/0MlaSimiDXuxHE4a+p3yZfgpHhbRX4c8pd/POQYHSaXW05roPWQmMA/nuWsFVV+Qf//RzS3XxGBjZSjwTImFcaKqz9kI4qx4QpLV/Gf0RJb8mUor
8Lrac10eXkrks6wwOk7D/9LOrITGBst18Rg96HG+5IKLAxtJRTQRxV+E29ahXGCGm7ZLOKs+EAti3PXcyJ0u+T//009tOa6D1kJjBV89y1hnNV+QNVuv1gZW
kopoRImFcaXtZ+yEcVfhZxVnwM+WvbOQKaTT/9TaWEZ8IBud79iNb/kzayExgardfrAoocb7k+fEWBlZSimgjir8Jt61CuMEFN2yf//V6HxVnwKsIzXQAs2J
awrKjsgZq9frBCyrq+C64sej/9k=
END
awk 'BEGIN { for (y = 0; y < 40; y++) for (x = 0; x < 56; x++) printf "%d\n%d\n%d\n", x * 4, y * 6, 128 + 60 * sin((x + y) / 7) }' > pixels
for name in progressive restarts; do
    djpeg $name.jpg | sed -n '1,2p;2q'
    djpeg $name.jpg | tail -c +14 | od -An -v -tu1 | tr -s ' ' '\n' | sed '/^$/d' | paste pixels - |
        awk '{ d = $1 - $2; sum += d < 0 ? -d : d } END { print NR, sum / NR < 3 ? "close" : sum / NR }'
done
# a progressive file without its last scans
head -c 700 progressive.jpg | djpeg 2> message | tail -c +14 | od -An -v -tu1 | tr -s ' ' '\n' | sed '/^$/d' | paste pixels - |
    awk '{ d = $1 - $2; sum += d < 0 ? -d : d } END { print NR, sum / NR < 12 ? "near" : sum / NR }'
cat message

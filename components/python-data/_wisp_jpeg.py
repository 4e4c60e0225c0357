"""JPEG for Pillow: its own plugin reads and writes the markers, the tools `djpeg` and `cjpeg` (components/images) do what its codec
in C would, which this CPython lacks."""

import re
import subprocess

from PIL import Image, ImageFile

#: A marker, not a byte 255 among the pixels or a restart.
_marker = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)

_END, _START, _ALONE = 0xD9, 0xD8, 0x01

#: What the plugin adds to a file that was cut off, if it shall be read nevertheless.
_ADDED = b"\xff\xd9"

#: Pillow's names of what a file's samples are, and djpeg's.
_STORED = {"L": "gray", "RGB": "rgb", "YCbCr": "ycbcr", "CMYK": "cmyk", "YCbCrK": "ycck"}

#: By Pillow's name of what the pixels shall be: options of djpeg, the name of what it then writes. Files have CMYK inverted, and
#: djpeg turns it round: what Pillow calls inverted is what it writes.
_WANTED = {"L": (["-grayscale"], "L"), "RGB": (["-rgb"], "RGB"), "YCbCr": (["-ycbcr"], "YCbCr"), "CMYK;I": ([], "CMYK"), "CMYK": ([], "CMYK;I")}

#: By Pillow's name of the pixels: how they are given to cjpeg, the depth and the type of its PAM file.
_GIVEN = {"L": ("L", 1, "GRAYSCALE"), "RGB": ("RGB", 3, "RGB"), "YCbCr": ("YCbCr", 3, "YCbCr"), "CMYK;I": ("CMYK", 4, "CMYK"),
          "CMYK": ("CMYK;I", 4, "CMYK")}

#: What the plugin gives to an encoder after the name of the pixels; the values that count where less is given.
_SETTINGS = {"quality": -1, "progressive": False, "smooth": 0, "optimize": False, "keep_rgb": False, "streamtype": 0, "dpi": (0, 0),
             "subsampling": -1, "blocks": 0, "rows": 0, "tables": None, "comment": None, "extra": b"", "exif": b""}

#: How Pillow's messages begin.
_BROKEN = "broken data stream when "

_SAMPLING = {0: "1x1", 1: "2x1", 2: "2x2"}


def _run(name, arguments, data, fails):
    """What a tool makes of `data`. `fails` begins what is wrong if it fails; without it, what there is is good."""
    try:
        done = subprocess.run([f"/usr/bin/{name}", *arguments], input=data, capture_output=True, env={})
    except FileNotFoundError:
        raise OSError(
            "JPEG needs the programs `djpeg` and `cjpeg`, which this session does not have: "
            'its policy must grant their tool, `tools.allow` with "images"'
        ) from None
    if done.returncode == 0 or fails is None:
        return done.stdout
    raise OSError(f"{fails}: {done.stderr.decode(errors='replace').strip() or f'{name} ended with status {done.returncode}'}")


class Decoder(ImageFile.PyDecoder):
    """The decoder `jpeg`."""

    def init(self, args):
        """Take the name of the pixels, that of the samples (empty: what the file says), and how much smaller they shall be."""
        self._wanted, self._stored, self._smaller = (*args, *("RGB", "", 1)[len(args) :])[:3]
        self._data, self._at = bytearray(), 0

    def _end(self):
        """Where the file ends in the data, or None if it goes on."""
        while found := _marker.search(self._data, self._at):
            code, after = self._data[found.end() - 1], found.end()
            if code == _END:
                return after
            if code not in (_START, _ALONE):
                if len(self._data) < after + 2:
                    self._at = found.start()
                    return None
                after += max(2, int.from_bytes(self._data[after : after + 2]))
            self._at = after
        self._at = max(self._at, len(self._data) - self._data.endswith(b"\xff"))
        return None

    def decode(self, buffer):
        """Collect the file; decode it when it is whole."""
        self._data += buffer
        end = self._end()
        if end is None:
            return len(buffer), 0
        if buffer == _ADDED and ImageFile.LOAD_TRUNCATED_IMAGES:
            end -= len(_ADDED)  # djpeg knows better what to do at the end of a file
        self._decode(bytes(self._data[:end]))
        return -1, 0

    def _decode(self, data):
        options, given = _WANTED.get(self._wanted, (None, None))
        if options is None:
            raise OSError(f"JPEG cannot be read as {self._wanted}")
        options = [*options, "-pam", "-scale", f"1/{self._smaller}"]
        if self._stored in _STORED:
            options += ["-colorspace", _STORED[self._stored]]
        made = _run("djpeg", options, data, None if ImageFile.LOAD_TRUNCATED_IMAGES else _BROKEN + "reading image file")
        if not made:
            return  # the picture stays black
        start = made.index(b"ENDHDR\n") + 7
        header = dict(line.split(None, 1) for line in made[:start].split(b"\n") if b" " in line)
        if (int(header[b"WIDTH"]), int(header[b"HEIGHT"])) != (self.state.xsize, self.state.ysize):
            raise OSError(_BROKEN + "reading image file: its size changes")
        self.set_as_raw(memoryview(made)[start:], given)


class Encoder(ImageFile.PyEncoder):
    """The encoder `jpeg`."""

    _pushes_fd = True

    def encode(self, bufsize):
        """Encode the picture; return its length, that it is all, and the file."""
        rawmode, *values = self.args or (self.mode,)
        how = {**_SETTINGS, **dict(zip(_SETTINGS, values))}
        if how["streamtype"]:
            raise OSError("JPEG files without tables or without pixels (streamtype) cannot be written here")
        if rawmode not in _GIVEN:
            raise OSError(f"JPEG cannot be written from {rawmode}")
        given, depth, kind = _GIVEN[rawmode]
        size = (self.state.xsize, self.state.ysize)
        head = b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL 255\nTUPLTYPE %s\nENDHDR\n" % (*size, depth, kind.encode())
        data = _run("cjpeg", _options(rawmode, how), head + self._pixels(given), _BROKEN + "writing image file")
        data = _with_markers(data, how)
        return len(data), 1, data

    def _pixels(self, rawmode):
        """The pixels, by Pillow's own encoder."""
        encoder = Image._getencoder(self.mode, "raw", (rawmode, 0, 1))
        encoder.setimage(self.im, self.state.extents())
        parts, error = [], 0
        while not error:
            _, error, part = encoder.encode(max(1 << 20, self.state.xsize * 4))
            parts.append(part)
        if error < 0:
            raise ImageFile._get_oserror(error, encoder=True)
        return b"".join(parts)


def _options(rawmode, how):
    """The options of cjpeg."""
    quality, options = how["quality"], []
    if how["tables"]:
        # Quality is a percentage of these tables. A third one is not written: the second is for both colours.
        percent = 100 if quality == -1 else quality
        numbers = [(number * percent + 50) // 100 for table in how["tables"][:2] for number in table]
        options += ["-qtables", " ".join(str(min(max(number, 1), 255)) for number in numbers)]
    elif quality != -1:
        options += ["-quality", str(min(max(quality, 1), 100))]
    for name in ("progressive", "optimize"):
        if how[name]:
            options.append(f"-{name}")
    if how["keep_rgb"] and rawmode == "RGB":
        options.append("-rgb")
    if how["subsampling"] in _SAMPLING:
        options += ["-sample", _SAMPLING[how["subsampling"]]]
    if how["blocks"] > 0:
        options += ["-restart", f"{how['blocks']}B"]
    elif how["rows"] > 0:
        options += ["-restart", str(how["rows"])]
    return options


def _segment(code, data):
    return bytes((0xFF, code)) + (len(data) + 2).to_bytes(2) + data


def _with_markers(data, how):
    """The file with what the plugin has for it: after the start, the first marker says what its samples are."""
    across, down = (min(max(int(dots), 0), 0xFFFF) for dots in how["dpi"])
    first = 4 + int.from_bytes(data[4:6])
    parts = [data[:2]]
    jfif, known = data[3] == 0xE0, bool(across and down)
    if jfif or (known and not how["keep_rgb"]):  # beside RGB as it is, JFIF's marker would say something else
        density = (bytes((known,)) + across.to_bytes(2) + down.to_bytes(2)) if known else b"\0\0\1\0\1"
        parts.append(_segment(0xE0, b"JFIF\0\1\1" + density + b"\0\0"))
    if not jfif:
        parts.append(data[2:first])
    comment = how["comment"]
    if how["exif"]:
        parts.append(_segment(0xE1, how["exif"]))
    parts.append(how["extra"] or b"")
    if comment:
        parts.append(_segment(0xFE, comment.encode() if isinstance(comment, str) else comment))
    return b"".join((*parts, data[first:]))


def install():
    """Make them Pillow's, and say so where it is asked."""
    Image.register_decoder("jpeg", Decoder)
    Image.register_encoder("jpeg", Encoder)
    Image.core.jpeg_decoder, Image.core.jpeg_encoder, Image.core.jpeglib_version = Decoder, Encoder, "wisp"

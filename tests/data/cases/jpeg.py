"""JPEG with Pillow: writing and reading in every mode, what is kept beside the pixels, thumbnails, files that were cut off, plots."""

import io
import os
import tempfile

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image, ImageFile, JpegImagePlugin, features

os.chdir(tempfile.mkdtemp())
y, x = np.mgrid[0:120, 0:200]
pixels = np.stack([x * 255 // 200, y * 2, 128 + 60 * np.sin((x + y) / 9)], axis=-1).astype(np.uint8)
picture = Image.fromarray(pixels)


def written(image, **options):
    """The file, and what is read from it."""
    file = io.BytesIO()
    image.save(file, "JPEG", **options)
    return file.getvalue(), Image.open(io.BytesIO(file.getvalue()))


def distance(one, other):
    """The mean difference of two pictures' samples."""
    return float(np.abs(np.asarray(one).astype(int) - np.asarray(other).astype(int)).mean())


print("available:", features.check("jpg"))

# --- Modes.
for mode in ("L", "RGB", "CMYK", "YCbCr", "1", "RGBX"):
    image = Image.fromarray(np.dstack([pixels, pixels[..., :1]]), "RGBX") if mode == "RGBX" else picture.convert(mode)
    _, read = written(image, quality=95)
    print(mode, read.format, read.mode, read.size, "close:", distance(read, image.convert(read.mode)) < (8 if mode == "1" else 2.5))
for mode in ("RGBA", "P", "I"):
    try:
        picture.convert(mode).save(io.BytesIO(), "JPEG")
    except OSError as error:
        print(error)

# --- Quality, kinds of files, sampling.
sizes = [len(written(picture, quality=quality)[0]) for quality in (10, 40, 75, 95)]
near = [distance(written(picture, quality=quality)[1], picture) for quality in (10, 40, 75, 95)]
print("larger:", sizes == sorted(sizes), "nearer:", near == sorted(near, reverse=True))
print("75 is usual:", written(picture)[0] == written(picture, quality=75)[0])
plain, optimized, progressive = (written(picture, quality=85, **options) for options in ({}, {"optimize": True}, {"progressive": True}))
same = [distance(other[1], plain[1]) < 0.01 for other in (optimized, progressive)]
print("optimized is smaller:", len(optimized[0]) < len(plain[0]), "the same pixels:", *same)
print("progressive:", "progressive" in plain[1].info, "progressive" in progressive[1].info)
print("tables:", plain[1].quantization[0][:8], plain[1].quantization[1][:8])
print("sampling:", [JpegImagePlugin.get_sampling(written(picture, subsampling=sampling)[1]) for sampling in (-1, "4:4:4", "4:2:2", 2)])
kept, own = written(optimized[1], quality="keep"), written(picture, qtables=[[7] * 64, [9] * 64], subsampling=0)
print("kept:", kept[1].quantization == optimized[1].quantization, distance(kept[1], optimized[1]) < 1)
print("own:", own[1].quantization[0][:3], own[1].quantization[1][:3])
rows = written(picture, restart_marker_rows=1)
print("restarts:", b"\xff\xd0" in rows[0], b"\xff\xd0" in plain[0], distance(rows[1], written(picture)[1]) == 0)
print("RGB as it is:", distance(written(picture, keep_rgb=True, quality=95)[1], picture) < 1.5)

# --- What is kept beside the pixels.
exif = Image.Exif()
exif[0x010E], exif[0x0112] = "a ramp", 6
profile = bytes(range(256)) * 300
_, read = written(picture, exif=exif, dpi=(300, 150), icc_profile=profile, comment="made by a test", xmp=b"<x/>")
print(read.info["dpi"], read.info["comment"], read.info["xmp"], read.info["icc_profile"] == profile, sorted(read.getexif().items()), read.info["jfif"])
_, again = written(read, exif=read.getexif(), quality=90)
print("again:", sorted(again.getexif().items()), again.info["comment"], "dpi" in again.info, "icc_profile" in again.info)
_, read = written(picture.convert("CMYK"), dpi=(72, 72))
print("CMYK:", read.info["dpi"], read.info["adobe"], read.info["adobe_transform"])

# --- Files, and what is done with them.
picture.save("a.jpg", quality=90)
picture.convert("L").save("b.jpeg")
with Image.open("a.jpg") as read:
    print(read.format, read.size, read.convert("L").size, read.resize((20, 12)).getpixel((0, 0))[1] < 12, read.rotate(90, expand=True).size)
    print("crop is near:", distance(read.crop((10, 10, 50, 50)), picture.crop((10, 10, 50, 50))) < 2.5)
with Image.open("a.jpg") as read:
    read.thumbnail((50, 50))
    print("thumbnail:", read.size, "near:", distance(read, picture.resize(read.size, Image.Resampling.BOX)) < 3)
for size in ((100, 60), (50, 30), (25, 15)):
    read = Image.open("a.jpg")
    read.draft("L", size)
    print("draft:", read.mode, read.size, "near:", distance(read, picture.convert("L").resize(read.size, Image.Resampling.BOX)) < 3)
read = Image.open("a.jpg")
read.draft("YCbCr", None)
print("draft:", read.mode, "near:", distance(read, picture.convert("YCbCr")) < 2.5)
parser = ImageFile.Parser()
data = open("a.jpg", "rb").read()
for at in range(0, len(data), 500):
    parser.feed(data[at : at + 500])
print("parsed in pieces:", parser.close().size, Image.open(io.BytesIO(data + b"more")).convert("RGB").size)
picture.save("two.mpo", save_all=True, append_images=[picture.rotate(180)])
with Image.open("two.mpo") as read:
    corners = []
    for frame in range(read.n_frames):
        read.seek(frame)
        corners.append(read.getpixel((0, 0))[0] < 10)
    print(read.format, read.n_frames, corners)
picture.save("a.pdf")
print("a PDF holds JPEG:", b"DCTDecode" in open("a.pdf", "rb").read())

# --- Files that are not whole.
for part in (len(data) // 2, len(data) - 2):
    try:
        Image.open(io.BytesIO(data[:part])).load()
    except OSError as error:
        print(str(error).partition(" (")[0])
ImageFile.LOAD_TRUNCATED_IMAGES = True
half = Image.open(io.BytesIO(data[: len(data) * 2 // 3]))
print("the upper part:", distance(half.crop((0, 0, 200, 32)), picture.crop((0, 0, 200, 32))) < 2.5, "below:", half.getpixel((199, 119)))
ImageFile.LOAD_TRUNCATED_IMAGES = False
damaged = bytearray(data)
damaged[data.index(b"\xff\xda") + 2 : data.index(b"\xff\xda") + 4] = b"\0\3"
try:
    Image.open(io.BytesIO(damaged)).load()
except OSError as error:
    print(str(error).partition(":")[0])

# --- A large picture, and plots.
large = Image.fromarray(np.tile(pixels, (12, 10, 1)))
file, read = written(large, quality=90)
print("large:", read.size, len(file) > 300_000, "near:", distance(read, large) < 3)
figure, axes = plt.subplots(figsize=(4, 3), dpi=100)
axes.plot([1, 4, 9], color="red")
figure.savefig("plot.jpg")
with Image.open("plot.jpg") as read:
    red = (np.asarray(read).astype(int) @ [1, -1, 0] > 100).sum()
    print("plot:", read.format, read.size, read.info["dpi"], read.getpixel((0, 0)), bool(red > 100))
print(plt.imread("plot.jpg").shape)

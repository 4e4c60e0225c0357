"""An image: drawn, resized, filtered, composed, measured by numpy; PNG, BMP, GIF and TIFF there and back (JPEG: `jpeg.py`)."""

import io
import struct
import zlib

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageOps, ImageStat, UnidentifiedImageError

# --- Draw.
image = Image.new("RGB", (160, 120), "white")
draw = ImageDraw.Draw(image)
draw.rectangle((10, 10, 70, 50), fill=(200, 30, 30), outline="black", width=2)
draw.ellipse((90, 20, 140, 70), fill="#1e90ff")
draw.polygon([(20, 110), (50, 60), (80, 110)], fill=(0, 128, 0))
draw.line((0, 119, 159, 0), fill="black")
draw.text((100, 90), "wisp", fill="navy", font=ImageFont.load_default())
pixels = np.asarray(image)
print(image.mode, image.size, pixels.shape, pixels.dtype, image.getpixel((40, 30)), image.getpixel((115, 45)), image.getpixel((50, 100)))
red = (pixels == (200, 30, 30)).all(axis=2)
rows, columns = np.nonzero(red)
print("red pixels", int(red.sum()), "from", (int(columns.min()), int(rows.min())), "to", (int(columns.max()), int(rows.max())))
print("text was drawn:", bool((pixels[88:105, 98:130] != 255).any()), "blue area near", round(int((pixels == (30, 144, 255)).all(axis=2).sum()), -2))

# --- Statistics and histogram: Pillow and numpy agree.
grey = image.convert("L")
histogram = np.array(grey.histogram(), dtype=np.int64)
values = np.asarray(grey)
print("histogram:", bool((histogram == np.bincount(values.ravel(), minlength=256)).all()), int(histogram.sum()), "brightest", int(histogram.argmax()))
stat = ImageStat.Stat(image)
print("mean agrees:", bool(np.allclose(stat.mean, pixels.reshape(-1, 3).mean(axis=0))))
print("std agrees:", bool(np.allclose(stat.stddev, pixels.reshape(-1, 3).std(axis=0))))
print("extrema", image.getextrema(), "box", ImageChops.invert(grey).getbbox(), "colours", len(image.getcolors(100000)) < 300)

# --- Geometry.
half = image.resize((80, 60), Image.Resampling.NEAREST)
print("nearest:", half.size, half.getpixel((20, 15)), "box:", image.reduce(2).size, image.resize((40, 30), Image.Resampling.LANCZOS).size)
thumb = image.copy()
thumb.thumbnail((64, 64))
print("thumbnail", thumb.size, "crop", image.crop((10, 10, 71, 51)).size, "fit", ImageOps.fit(image, (50, 50)).size, "pad", ImageOps.expand(image, 5).size)
turned = image.transpose(Image.Transpose.ROTATE_90)
print("turned:", turned.size, bool((np.asarray(turned) == np.rot90(pixels)).all()))
print("mirror:", bool((np.asarray(ImageOps.mirror(image)) == pixels[:, ::-1]).all()))
print("45 degrees", image.rotate(45, expand=True, fillcolor="white").size, "affine", image.transform((80, 60), Image.Transform.AFFINE, (2, 0, 0, 0, 2, 0)).size)

# --- Filters: a blur keeps the mean, edges are where the colours change.
blur = grey.filter(ImageFilter.GaussianBlur(3))
print("blur:", bool(abs(np.asarray(blur).mean() - values.mean()) < 1), bool(np.asarray(blur).std() < values.std()))
print("median", grey.filter(ImageFilter.MedianFilter(3)).getpixel((40, 30)))
kernel = grey.filter(ImageFilter.Kernel((3, 3), [-1, -1, -1, -1, 8, -1, -1, -1, -1], 1))
edges = np.asarray(kernel)
print("edges: inside", int(edges[30, 40]), "on the border", bool(edges[30, 68:73].max() > 50))
noisy = values.copy()
noisy[::7, ::11] = 0
print("noise removed:", int((np.asarray(Image.fromarray(noisy).filter(ImageFilter.MedianFilter(3)))[2:10, 75:88] == 255).all()))
print("darker:", ImageEnhance.Brightness(image).enhance(0.5).getpixel((40, 30)), "inverted", ImageOps.invert(image).getpixel((40, 30)))
print("threshold", sorted(value for _, value in grey.point(lambda v: 255 * (v > 100)).getcolors()))
print("grey values", grey.getpixel((40, 30)), grey.getpixel((115, 45)), "hsv", image.convert("HSV").getpixel((115, 45)), "palette", image.quantize(8).mode)

# --- Transparency.
layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
ImageDraw.Draw(layer).rectangle((0, 0, 79, 119), fill=(255, 255, 0, 128))
mixed = Image.alpha_composite(image.convert("RGBA"), layer)
print("composite", mixed.getpixel((40, 30)), mixed.getpixel((115, 45)), "blend", Image.blend(image, ImageOps.invert(image), 0.5).getpixel((40, 30)))

# --- Files: without loss, there and back.
for name, kind in [("a.png", image), ("a.bmp", image), ("a.tiff", image), ("a.gif", image.quantize(64)), ("alpha.png", mixed), ("grey.png", grey)]:
    kind.save(name)
    with Image.open(name) as back:
        print(name, back.format, back.mode, back.size, ImageChops.difference(back.convert("RGBA"), kind.convert("RGBA")).getbbox() is None)
data = io.BytesIO()
image.save(data, "PNG", optimize=True, dpi=(300, 300))
raw = data.getvalue()
width, height = struct.unpack(">II", raw[16:24])
length = struct.unpack(">I", raw[8:12])[0]
print(raw[:8] == b"\x89PNG\r\n\x1a\n", raw[12:16], (width, height))
print(zlib.crc32(raw[12 : 16 + length]) == struct.unpack(">I", raw[16 + length : 20 + length])[0], raw[-8:-4])
deep = Image.fromarray((np.arange(65536, dtype=np.uint32).reshape(256, 256) % 65536).astype(np.uint16))
deep.save("deep.png")
print("16 bits:", bool((np.asarray(Image.open("deep.png")) == np.asarray(deep)).all()), Image.open("deep.png").mode)
frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "green", "blue")]
frames[0].save("moving.gif", save_all=True, append_images=frames[1:], duration=100)
with Image.open("moving.gif") as moving:
    moving.seek(2)
    print("frames", moving.n_frames, moving.info["duration"], moving.convert("RGB").getpixel((4, 4)))
try:
    Image.open(io.BytesIO(b"no image at all"))
except UnidentifiedImageError as error:
    print(type(error).__name__)
try:
    Image.open(io.BytesIO(raw[: len(raw) // 2])).load()
except OSError as error:
    print("OSError:", str(error).split(" (")[0])

"""A zip of images in folders, one folder for each class; images outside of folders are unlabelled.

Images become grey and all of one size. Nothing is unpacked to the disk. Paths that lead out of the
archive, links, archives in archives and images of absurd size are refused.
"""

import stat
import zipfile
from io import BytesIO
from pathlib import PurePosixPath

import numpy as np

from sslviz.data.uploads.limits import (
    MAX_IMAGES,
    MAX_INFLATED_BYTES,
    Refusal,
    bounded_read,
    check_inflated,
    check_shape,
    clean_name,
    count_of,
)
from sslviz.data.uploads.raw_table import RawTable

IMAGE_ENDINGS = (".png", ".jpg", ".jpeg")
ARCHIVE_ENDINGS = (".zip", ".gz", ".tar", ".7z", ".rar", ".npz", ".xz", ".bz2")
LARGEST_SIDE = 32  # pixels; larger images are made smaller
SIZE_KEPT = 64  # images that all have one size up to this stay as they are
MAX_PIXELS = 25_000_000  # of one image
MAX_PIXELS_IN_ALL = 500_000_000
FOLDERS, FILE_NAMES = "folder", "file"  # columns of classes and of names


def read_image_zip(content: bytes) -> RawTable:
    """The images of a zip file as rows of grey values, labelled by their folders."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        found, others = _images_in(archive)
        if not found:
            raise Refusal(
                "it holds no PNG or JPEG images; expected a folder of images for each class"
            )
        shapes = np.array([_size_of(archive, info) for info in found])  # height, width
        if (total := int(shapes.prod(axis=1).sum())) > MAX_PIXELS_IN_ALL:
            limit = f"at most {MAX_PIXELS_IN_ALL:,} are read"
            raise Refusal(f"its images have {total:,} pixels, {limit}")
        shape = _common_shape(shapes)
        check_shape(len(found), shape[0] * shape[1])
        X = np.stack([_grey(archive, info, shape) for info in found])
    labels, files = _labels_of_folders([PurePosixPath(info.filename) for info in found])
    same = (shapes == shape).all()
    notes = ["Images are turned to grey." if same else _resize_note(shapes, shape)]
    if others:
        notes.append(f"Left out: {count_of(others, 'file')} without an image.")
    columns = {FOLDERS: np.array(labels, object), FILE_NAMES: np.array(files, object)}
    return RawTable("images", columns, X, image_shape=shape, notes=tuple(notes))


def _images_in(archive: zipfile.ZipFile) -> tuple[list[zipfile.ZipInfo], int]:
    """The images in order of their names, and how many other files there are."""
    members = archive.infolist()
    if len(members) > 2 * MAX_IMAGES:
        raise Refusal(f"it holds {len(members):,} files, at most {MAX_IMAGES:,} images are read")
    check_inflated(sum(info.file_size for info in members))
    images, others = [], 0
    for info in members:
        path = PurePosixPath(info.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
            raise Refusal("a path in it leads out of the archive")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise Refusal("it holds links to other files, which are not followed")
        if info.flag_bits & 1:
            raise Refusal("it is protected by a password")
        ending = path.suffix.lower()
        if ending in ARCHIVE_ENDINGS:
            raise Refusal("it holds another archive, which is not unpacked")
        if info.is_dir() or path.parts[0] == "__MACOSX" or path.name.startswith("."):
            continue
        if ending in IMAGE_ENDINGS:
            images.append(info)
        else:
            others += 1
    if len(images) > MAX_IMAGES:
        raise Refusal(f"it holds {len(images):,} images, at most {MAX_IMAGES:,} are read")
    return sorted(images, key=lambda info: info.filename), others


def _size_of(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[int, int]:
    """Height and width from the header of an image; its pixels are not read yet."""
    from PIL import Image

    with archive.open(info) as file:
        try:
            with Image.open(file, formats=("PNG", "JPEG")) as image:
                wide, high = image.size
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise Refusal(f"{_short(info)} has too many pixels to be read") from error
        except (OSError, ValueError, SyntaxError) as error:
            raise _damage(info) from error
    if wide * high > MAX_PIXELS or min(wide, high) < 1:
        raise Refusal(
            f"{_short(info)} has {wide:,} × {high:,} pixels, at most {MAX_PIXELS:,} in all are read"
        )
    return high, wide


def _common_shape(shapes: np.ndarray) -> tuple[int, int]:
    """Height and width that all images get: their own if it is one and small, else about 32."""
    if (shapes == shapes[0]).all() and shapes.max() <= SIZE_KEPT:
        return int(shapes[0, 0]), int(shapes[0, 1])
    high, wide = np.median(shapes, axis=0)
    scale = min(1.0, LARGEST_SIDE / max(high, wide))
    return max(1, round(high * scale)), max(1, round(wide * scale))


def _grey(archive: zipfile.ZipFile, info: zipfile.ZipInfo, shape: tuple[int, int]) -> np.ndarray:
    """(height · width,) grey values 0 to 255."""
    from PIL import Image

    high, wide = shape
    with archive.open(info) as file:
        content = bounded_read(file, MAX_INFLATED_BYTES)
    try:
        with Image.open(BytesIO(content), formats=("PNG", "JPEG")) as image:
            image.draft("L", (2 * wide, 2 * high))  # a JPEG is decoded at about this size
            grey = image.convert("RGB").convert("L") if image.mode == "P" else image.convert("L")
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise _damage(info) from error
    if grey.size != (wide, high):
        grey = grey.resize((wide, high), Image.Resampling.BOX)
    return np.asarray(grey, np.uint8).reshape(-1)


def _labels_of_folders(paths: list[PurePosixPath]) -> tuple[list[str], list[str]]:
    """The class of each image, "" for none, and its file; folders around all classes are skipped.

    The class is the folder an image lies in.
    """
    parents = [path.parts[:-1] for path in paths]
    labels = [clean_name(parts[-1]) if parts else "" for parts in parents]
    if len({parts for parts in parents if parts}) == 1 and all(parents):
        labels = [""] * len(paths)  # one folder around all of them is no class
    return labels, [clean_name("/".join(path.parts[-2:])) for path in paths]


def _resize_note(shapes: np.ndarray, shape: tuple[int, int]) -> str:
    low, high = shapes.min(axis=0), shapes.max(axis=0)
    before = f"{low[0]} × {low[1]}"
    if (low != high).any():
        before += f" to {high[0]} × {high[1]}"
    return f"Images of {before} pixels are turned to grey and resized to {shape[0]} × {shape[1]}."


def _damage(info: zipfile.ZipInfo) -> Refusal:
    return Refusal(f"{_short(info)} cannot be read as an image")


def _short(info: zipfile.ZipInfo) -> str:
    return f"“{clean_name(PurePosixPath(info.filename).name)}”"

// The image of the point under the cursor, cut out of a sheet of images (Thumbnails in live_figure.py).

const THUMBNAIL_SIDE = 96; // px, of its longer side
const THUMBNAIL_GAP = 36; // px between cursor and image: plotly's label stands beside the cursor

class Thumbnail {
  point = null;
  cursor = null; // [x, y] in the root

  constructor(element, root) {
    Object.assign(this, { element, root });
  }

  // Show the image of a point; none of them for null, or where there are no sheets.
  async show(point, sheets) {
    this.point = point;
    const url = point === null ? null : sheets?.urls[Math.floor(point / sheets.per_sheet)];
    if (!url) { this.element.hidden = true; return; }
    const sheet = await storedUrl(url).catch(() => url);
    if (this.point !== point) return; // the cursor has moved on
    const scale = THUMBNAIL_SIDE / Math.max(sheets.width, sheets.height);
    const [width, height] = [sheets.width * scale, sheets.height * scale];
    const tile = point % sheets.per_sheet;
    const [column, row] = [tile % sheets.columns, Math.floor(tile / sheets.columns)];
    Object.assign(this.element.style, { width: `${width}px`, height: `${height}px`,
      backgroundImage: `url("${sheet}")`, backgroundSize: `${sheets.columns * width}px auto`,
      backgroundPosition: `${-column * width}px ${-row * height}px` });
    this.element.dataset.point = point;
    this.element.hidden = false;
    this.place();
  }

  // The cursor has moved.
  follow({ clientX, clientY }) {
    const box = this.root.getBoundingClientRect();
    this.cursor = [clientX - box.left, clientY - box.top];
    this.place();
  }

  // Above the cursor; below it where there is no room.
  place() {
    if (this.element.hidden || !this.cursor) return;
    const [x, y] = this.cursor;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.min(Math.max(x - width / 2, 0), this.root.offsetWidth - width);
    const above = y - height - THUMBNAIL_GAP;
    this.element.style.transform = `translate(${left}px, ${above > 0 ? above : y + THUMBNAIL_GAP}px)`;
  }
}


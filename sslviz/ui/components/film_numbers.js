// Numbers above a figure that follow its film: Python names them by title in `layout.meta.numbers`, with
// a text for each frame. They belong to Streamlit, so only texts are changed, never elements.

const METRIC = { whole: "[data-testid=stMetric]", title: "[data-testid=stMetricLabel]", value: "[data-testid=stMetricValue]" };

// The texts inside an element that are not blank.
function textsIn(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) if (walker.currentNode.nodeValue.trim()) found.push(walker.currentNode);
  return found;
}

// The texts of a frame, in the metrics of the page; for the figure `name` among several, its accuracy
// in the heading above it.
function showNumbersAt(numbers, frame, name) {
  if (!numbers) return;
  for (const metric of document.querySelectorAll(METRIC.whole)) {
    const [title] = textsIn(metric.querySelector(METRIC.title) ?? metric);
    const text = numbers[title?.nodeValue.trim()]?.[frame];
    const [shown] = text ? textsIn(metric.querySelector(METRIC.value) ?? metric) : [];
    if (shown && shown.nodeValue.trim() !== text) shown.nodeValue = text;
  }
  const heading = document.querySelector(`.st-key-${name}_heading`);
  const accuracy = heading && textsIn(heading).pop(), text = numbers.Accuracy?.[frame];
  if (accuracy && text) accuracy.nodeValue = accuracy.nodeValue.replace(/(accuracy ).*/, `$1${text}`);
}

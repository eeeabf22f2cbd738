// Places panels and menus beside their buttons, wholly within the window at every width. The anchors of CSS would need a second way in
// browsers without them, and this one has no case that they cover better.
const GAP_PX = 4;
const MARGIN_PX = 8;
/** A panel that would have less height beside its button covers it. */
const MIN_HEIGHT_PX = 160;

type Box = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number };
type Size = { readonly width: number; readonly height: number };
type Placement = { readonly top: number; readonly left: number; readonly maxHeight: number };

/** Returns the place of a panel of that size: below the button if it fits or has more room there, else above it. */
export function placementOf(button: Box, panel: Size, view: Size, align: 'start' | 'end'): Placement {
  const whole = view.height - 2 * MARGIN_PX;
  const below = view.height - MARGIN_PX - Math.max(MARGIN_PX, button.bottom + GAP_PX);
  const above = Math.min(whole, button.top - GAP_PX - MARGIN_PX);
  const isBelow = panel.height <= below || below >= above;
  const room = isBelow ? below : above;
  const covers = room < Math.min(panel.height, MIN_HEIGHT_PX);
  const maxHeight = covers ? whole : Math.min(room, whole);
  const height = Math.min(panel.height, maxHeight);
  const wanted = covers ? MARGIN_PX : isBelow ? button.bottom + GAP_PX : button.top - GAP_PX - height;
  const left = align === 'start' ? button.left : button.right - panel.width;
  return { top: within(wanted, height, view.height), left: within(left, panel.width, view.width), maxHeight };
}

function within(wanted: number, size: number, whole: number): number {
  return Math.max(MARGIN_PX, Math.min(wanted, whole - size - MARGIN_PX));
}

/** Places the panel now, and again when it or the window changes. Returns what ends this. */
export function keepPlaced(panel: HTMLElement, button: HTMLElement, align: 'start' | 'end'): () => void {
  const place = () => {
    const { clientWidth, clientHeight } = document.documentElement;
    // The height of all content, also of what a former limit hides.
    const height = panel.scrollHeight + panel.offsetHeight - panel.clientHeight;
    const size = { width: panel.offsetWidth, height };
    const view = { width: clientWidth, height: clientHeight };
    const { top, left, maxHeight } = placementOf(button.getBoundingClientRect(), size, view, align);
    panel.style.top = `${top}px`;
    panel.style.left = `${left}px`;
    panel.style.maxHeight = `${maxHeight}px`;
  };
  const placeUnlessInside = ({ target }: Event) => {
    if (!(target instanceof Node && panel.contains(target))) place();
  };
  place();
  const watch = new ResizeObserver(place);
  watch.observe(panel);
  window.addEventListener('resize', place);
  document.addEventListener('scroll', placeUnlessInside, true);
  return () => {
    watch.disconnect();
    window.removeEventListener('resize', place);
    document.removeEventListener('scroll', placeUnlessInside, true);
  };
}

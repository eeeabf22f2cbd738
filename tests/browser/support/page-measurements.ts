// Measurements of a page, as browser scripts in text form.
import type { Locator, Page } from 'playwright-core';

/** Marks each control that is there for the keyboard with a number, and returns how many there are. */
const NUMBER_CONTROLS = `(() => {
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]');
  // Arrow keys lead to the other tabs.
  const isThere = (e) => !e.disabled && !e.matches('[role=tab][tabindex="-1"]') && e.checkVisibility() && e.getClientRects().length > 0;
  const found = [...all].filter(isThere);
  found.forEach((e, i) => (e.dataset.control = String(i)));
  return found.length;
})()`;

export type FocusedElement = {
  /** Null where nothing of the page has the focus. */
  readonly control: string | null;
  readonly html: string;
  readonly isMarked: boolean;
  readonly isCovered: boolean;
};

const FOCUSED = `(() => {
  const e = document.activeElement;
  if (!e || e === document.body) return { control: null, html: '', isMarked: true, isCovered: false };
  const { outlineStyle, outlineWidth } = getComputedStyle(e);
  const isMarked = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  const head = document.querySelector('header.top');
  const [box, top] = [e.getBoundingClientRect(), head?.getBoundingClientRect().bottom ?? 0];
  const isCovered = !head?.contains(e) && !e.matches('.skip') && (box.bottom <= top || box.top >= innerHeight);
  return { control: e.dataset.control ?? null, html: e.outerHTML.slice(0, 120), isMarked, isCovered };
})()`;

export const numberControls = (page: Page): Promise<number> => page.evaluate<number>(NUMBER_CONTROLS);
export const focused = (page: Page): Promise<FocusedElement> => page.evaluate<FocusedElement>(FOCUSED);

export const htmlOfControls = (page: Page, controls: readonly string[]): Promise<readonly string[]> =>
  page.evaluate<string[]>(
    `${JSON.stringify(controls)}.map((n) => document.querySelector('[data-control="' + n + '"]')?.outerHTML.slice(0, 120))`,
  );

export const hasFocus = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => (element as { matches(selector: string): boolean }).matches(':focus'));

/** Buttons, fields and links of lists that are smaller than 24 by 24 pixels; links within sentences and cells may be. */
export const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(`(() => {
    const all = document.querySelectorAll('button, input, select, textarea, summary, nav a, header a');
    const sizeOf = (e) => (e.closest('label') ?? e).getBoundingClientRect();
    const isSmall = ({ width, height }) => width > 0 && (width < 24 || height < 24);
    return [...all].filter((e) => e.checkVisibility() && !e.matches('.skip') && isSmall(sizeOf(e))).map((e) => e.outerHTML.slice(0, 120));
  })()`);

/** The spacing of text that WCAG 1.4.12 names. */
export const spaceText = (page: Page): Promise<void> =>
  page.evaluate<undefined>(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }');
    document.adoptedStyleSheets.push(sheet);
  })()`);

/** Texts of controls that are cut off. */
export const cutTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(`(() => {
    const isCut = (e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible';
    return [...document.querySelectorAll('button, h1, h2, h3, dt, dd, legend, label')].filter(isCut).map((e) => e.outerHTML.slice(0, 120));
  })()`);

export type Outline = {
  readonly h1: number;
  /** Headings that are more than one level below the one before. */
  readonly skipped: readonly string[];
  readonly landmarks: readonly string[];
  readonly title: string;
  readonly tablesWithout: readonly string[];
  readonly timesWithout: readonly string[];
  readonly moving: number;
};

export const outlineOf = (page: Page): Promise<Outline> =>
  page.evaluate<Outline>(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const brief = (e) => e.outerHTML.slice(0, 120);
    const headings = all('h1, h2, h3, h4').filter((e) => e.checkVisibility());
    const levels = headings.map((e) => Number(e.tagName[1]));
    return {
      h1: levels.filter((level) => level === 1).length,
      skipped: headings.filter((_, i) => i > 0 && levels[i] > levels[i - 1] + 1).map(brief),
      landmarks: ['header', 'nav', 'main'].filter((name) => document.querySelector(name)),
      title: document.title,
      tablesWithout: all('table').filter((t) => !t.querySelector('caption') || t.querySelector('th:not([scope])')).map(brief),
      timesWithout: all('time').filter((t) => Number.isNaN(Date.parse(t.dateTime)) || !t.title).map(brief),
      moving: document.getAnimations().length,
    };
  })()`);

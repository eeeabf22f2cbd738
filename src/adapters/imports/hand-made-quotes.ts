// Cells of JSON whose quotation marks are escaped by hand, as `"{\"a\":1}"`: versions 4 and 5 of RevenueCat's export of transactions write
// them so. They become cells of CSV, `"{""a"":1}"`; everything else passes unchanged.
import { Transform } from 'node:stream';

/** A longer cell is not of this form. */
const MAX_CELL = 200_000;
/** A quotation mark within a value may look like the end of the cell: this many are tried. */
const MAX_ENDS = 20;

const STARTS = { ',': /[,\n]"[{[]\s*\\"/g, ';': /[;\n]"[{[]\s*\\"/g, '\t': /[\t\n]"[{[]\s*\\"/g } as const;

/** Returns a stream of text. `delimiter`: between the cells of a row. */
export function withoutHandMadeQuotes(delimiter: keyof typeof STARTS): Transform {
  let rest = '';
  const start = STARTS[delimiter];
  const convert = (isEnd: boolean): string => {
    let [done, at] = ['', 0];
    for (;;) {
      start.lastIndex = at;
      const found = start.exec(rest);
      if (!found) break;
      const opening = rest.indexOf('"', found.index);
      const cell = cellAt(rest, opening, delimiter, isEnd);
      if (cell === 'more') {
        done += rest.slice(at, found.index);
        rest = rest.slice(found.index);
        return done;
      }
      done += rest.slice(at, opening) + (cell ? `"${cell.json.replaceAll('"', '""')}"` : '"');
      at = cell ? cell.end : opening + 1;
    }
    // The last characters may begin a cell.
    const convertedLength = isEnd ? rest.length : Math.max(at, rest.length - START_LENGTH);
    done += rest.slice(at, convertedLength);
    rest = rest.slice(convertedLength);
    return done;
  };
  return new Transform({
    encoding: 'utf8',
    decodeStrings: false,
    transform: (chunk: string | Buffer, _encoding, next) => {
      rest += String(chunk);
      next(null, convert(false));
    },
    flush: (next) => next(null, convert(true)),
  });
}

/** Length that includes any start of a cell with some space in it. */
const START_LENGTH = 16;

/** Returns the JSON of the cell and where it ends; null for a cell of another form; `more` if its end is not in the text yet. */
function cellAt(text: string, opening: number, delimiter: string, isEnd: boolean) {
  let at = opening;
  for (let ends = 0; ends < MAX_ENDS; ends++) {
    at = text.indexOf('"', at + 1);
    if (at < 0 || at + 1 >= text.length) {
      if (at >= 0 && isEnd) return jsonOf(text.slice(opening + 1, at), at + 1);
      return isEnd || text.length - opening > MAX_CELL ? null : 'more';
    }
    while (at >= 0 && !isCellEnd(text, at, delimiter)) at = text.indexOf('"', at + 1);
    if (at < 0) {
      if (isEnd && text.endsWith('"')) return jsonOf(text.slice(opening + 1, -1), text.length);
      return isEnd || text.length - opening > MAX_CELL ? null : 'more';
    }
    const json = jsonOf(text.slice(opening + 1, at), at + 1);
    if (json) return json;
  }
  return null;
}

function isCellEnd(text: string, at: number, delimiter: string): boolean {
  const next = text[at + 1];
  return next === delimiter || next === '\n' || next === '\r';
}

/** Marks are escaped alone, or together with the backslashes that JSON has. */
function jsonOf(cell: string, end: number): { readonly json: string; readonly end: number } | null {
  const forms = [cell.replaceAll(/\\([\\"])/g, '$1'), cell.replaceAll('\\"', '"')];
  for (const json of forms) {
    try {
      JSON.parse(json);
      return { json, end };
    } catch {
      // Another form, or an end within a value.
    }
  }
  return null;
}

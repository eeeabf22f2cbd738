// Error messages of the server in the words of a form: labels of fields instead of their names in the API.

export type LabelledError = {
  readonly text: string;
  /** Field that the message is about; null if it is about none or several. */
  readonly field: string | null;
};

/** Path of a field, such as `config.title`, at the beginning of a message. */
const PATH = /^([A-Za-z_]\w*(?:\.\w+)*):? /;

/** Names of the API within a sentence; a name of one word may be a word of the sentence. */
const NAME = /\b[a-z]+(?:[A-Z][a-z]*)+\b/g;

/** `labels`: of the form's fields, by name. A message has one part for each fault: `displayName must not be empty; amount must be …`. */
export function inLabels(message: string, labels: ReadonlyMap<string, string>): LabelledError {
  const parts = message.split('; ').map((part) => {
    const path = PATH.exec(part)?.[1];
    const field = path === undefined ? undefined : fieldOf(path, labels);
    const reword = (text: string) => text.replaceAll(NAME, (name) => labels.get(name) ?? name);
    if (path === undefined || field === undefined) return { text: reword(part), field: null };
    return { text: `${labels.get(field) ?? field}${reword(part.slice(path.length))}`, field };
  });
  const fields = new Set(parts.map(({ field }) => field));
  const [only = null] = fields;
  return { text: parts.map(({ text }) => text).join('; '), field: fields.size === 1 ? only : null };
}

/** The whole path has a label, or its beginning (`productIds.0`), or its end (`config.title`). */
function fieldOf(path: string, labels: ReadonlyMap<string, string>): string | undefined {
  const steps = path.split('.');
  return [path, steps[0], steps.at(-1)].find((name) => name !== undefined && labels.has(name));
}

/** Returns the labels of the form's fields by name: of the group for a choice of several. */
export function labelsOf(form: HTMLFormElement): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const element of form.elements) {
    const { name, labels: own, type } = element as HTMLInputElement;
    const group = type === 'checkbox' || type === 'radio' ? element.closest('fieldset')?.querySelector('legend') : null;
    const label = (group ?? own?.[0])?.textContent?.trim();
    if (name && label) labels.set(name, label);
  }
  return labels;
}

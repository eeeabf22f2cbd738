// Messages about invalid input, which state what is expected: `attributes.a must be a string or null`.
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Finding = { readonly path: readonly PropertyKey[]; readonly message: string };

const MAX_MESSAGES = 10;
const MAX_NAME = 100;

/** Returns one message per issue, at most ten. */
export function validationMessagesOf(issues: readonly Issue[]): readonly string[] {
  return dropRepeats(issues.flatMap(findingsOfIssue))
    .slice(0, MAX_MESSAGES)
    .map(({ path, message }) => toSentence(path, message));
}

/** An empty path means the whole body or query. */
function toSentence(path: readonly PropertyKey[], message: string): string {
  const name = path.map((part) => String(part).slice(0, MAX_NAME)).join('.');
  if (/^(must|is|has|holds) /.test(message)) return `${name === '' ? 'the input' : name} ${message}`;
  return name === '' ? message : `${name}: ${message}`;
}

/**
 * Drops further findings of a field with the wrong type: such a value also fails the checks of the right type, and only the first message
 * is helpful.
 */
function dropRepeats(findings: readonly (Finding & { readonly isOfType: boolean })[]): readonly Finding[] {
  const wrongTypes = new Set<string>();
  return findings.filter(({ path, isOfType }) => {
    const place = path.map(String).join('.');
    if (wrongTypes.has(place)) return false;
    if (isOfType) wrongTypes.add(place);
    return true;
  });
}

/** Messages of the validation library begin like this and are rewritten; messages of our own schemas are not. */
const LIBRARY_MESSAGE = /^(Invalid|Unrecognized|Too (big|small)|Expected)\b/;

function findingsOfIssue(issue: Issue): readonly (Finding & { readonly isOfType: boolean })[] {
  const { path } = issue;
  const isOfType = issue.code === 'invalid_type';
  if (!LIBRARY_MESSAGE.test(issue.message)) return [{ path, message: issue.message, isOfType }];
  if (issue.code === 'invalid_union') return findingsOfUnion(issue);
  // The schema of the key or the element reports what is wrong with it.
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') return prefixPaths(path, issue.issues);
  return [{ path, message: messageOf(issue), isOfType }];
}

function prefixPaths(path: readonly PropertyKey[], issues: readonly Issue[]) {
  return issues.flatMap(findingsOfIssue).map((finding) => ({ ...finding, path: [...path, ...finding.path] }));
}

/** Lists all allowed types if only the type is wrong, otherwise the findings of the first form of the right type. */
function findingsOfUnion(issue: Extract<Issue, { code: 'invalid_union' }>) {
  const { path, errors: forms } = issue;
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
  if (options.length > 0) return [{ path, message: `must be ${describeChoices(options)}`, isOfType: false }];
  const types = forms.map(([first]) => (first?.code === 'invalid_type' && first.path.length === 0 ? first : null));
  const fitting = forms.find((form, i) => types[i] === null && form.length > 0);
  if (fitting) return prefixPaths(path, fitting);
  const kinds = [...new Set(types.flatMap((type) => (type ? [describeType(type.expected)] : [])))];
  const message = kinds.length > 0 ? `must be ${kinds.join(' or ')}` : 'must have one of the documented forms';
  return [{ path, message, isOfType: true }];
}

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return / received undefined$/.test(issue.message) ? 'is required' : `must be ${describeType(issue.expected)}`;
    case 'invalid_value':
      return `must be ${describeChoices(issue.values)}`;
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length > 1 ? 'fields' : 'field'} ${namesOf(issue.keys)}; correct the name or omit it`;
    case 'too_big':
      return `must ${describeBound(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin !== 'number') return 'must not be empty';
      return `must ${describeBound(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return issue.format === 'regex'
        ? `must match the pattern ${issue.pattern}`
        : `must be ${FORMAT_NAMES[issue.format] ?? `a valid ${issue.format}`}`;
    default:
      return issue.message;
  }
}

/** Names come from the caller, who may send thousands, or long ones. */
function namesOf(keys: readonly string[]): string {
  const names = keys.slice(0, MAX_MESSAGES).map((key) => (key.length > MAX_NAME ? `${key.slice(0, MAX_NAME)}…` : key));
  return keys.length > MAX_MESSAGES ? `${names.join(', ')} and ${keys.length - MAX_MESSAGES} more` : names.join(', ');
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
  undefined: 'omitted',
};

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'an ISO 8601 instant such as 2026-11-20T10:00:00Z',
  date: 'a day such as 2026-11-20',
};

function describeType(expected: string): string {
  return TYPE_NAMES[expected] ?? `a ${expected}`;
}

/** Lists the allowed values, without the `undefined` of an optional field. */
function describeChoices(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== undefined).map(String);
  if (texts.length === 0) return 'omitted';
  return texts.length > 1 ? `one of ${texts.join(', ')}` : texts.join('');
}

function describeBound(origin: string, bound: string, count: number): string {
  const unit = origin === 'string' ? 'character' : origin === 'array' || origin === 'set' ? 'item' : null;
  return unit === null ? `be ${bound} ${count}` : `have ${bound} ${count} ${unit}${count === 1 ? '' : 's'}`;
}

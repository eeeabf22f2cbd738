// Messages about a wrong input, which say what is expected: `attributes.a must be a string or null`.
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const MOST = 10;

/** One for each finding, the first ten. */
export function findingsOf(issues: readonly Issue[]): readonly string[] {
  return issues.slice(0, MOST).map((issue) => sentence(issue.path, messageOf(issue)));
}

/** Nothing named means the body, or the query, as a whole. */
function sentence(path: readonly PropertyKey[], message: string): string {
  const name = path.map(String).join('.');
  if (/^(must|is|has|holds) /.test(message)) return `${name === '' ? 'the input' : name} ${message}`;
  return name === '' ? message : `${name}: ${message}`;
}

/** Messages of our own schemas are kept; those of the library begin like this and are rewritten. */
const LIBRARY = /^(Invalid|Unrecognized|Too (big|small)|Expected)\b/;

function messageOf(issue: Issue): string {
  if (!LIBRARY.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return / received undefined$/.test(issue.message) ? 'is required' : `must be ${kind(issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length > 1 ? 'fields' : 'field'} ${issue.keys.join(', ')}; correct the name or leave it out`;
    case 'too_big':
      return `must ${amount(issue.origin, `at most ${issue.maximum}`)}`;
    case 'too_small':
      return `must ${amount(issue.origin, `at least ${issue.minimum}`)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    case 'invalid_union':
      return unionMessage(issue.errors);
    default:
      return issue.message;
  }
}

/** If only the type is wrong, lists all types that are allowed; else what the first form lacks. */
function unionMessage(forms: readonly (readonly Issue[])[]): string {
  const types = forms.flatMap(([first]) => (first?.code === 'invalid_type' && first.path.length === 0 ? [first] : []));
  if (types.length === forms.length) return `must be ${[...new Set(types.map((t) => kind(t.expected)))].join(' or ')}`;
  return forms.map(findingsOf).find((found) => found.length > 0)?.[0] ?? 'must be of a form that is known';
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
  undefined: 'left out',
};

function kind(expected: string): string {
  return KINDS[expected] ?? `a ${expected}`;
}

function amount(origin: string, bound: string): string {
  if (origin === 'string') return `have ${bound} characters`;
  return origin === 'array' || origin === 'set' ? `have ${bound} items` : `be ${bound}`;
}

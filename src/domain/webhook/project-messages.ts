// Webhook messages about a project as a whole, and their examples.
import type { RecordedEvent } from '../envelope.js';
import { booksExampleOf, booksMessageOf, isFinding } from './books-messages.js';
import { figureExampleOf, figureMessageOf, isFigureLeftBand } from './figure-messages.js';
import type { ProjectKind } from './kinds.js';
import type { Message } from './messages.js';
import type { Fields } from './purchase-fields.js';

/** Returns null for an event that is not about the project as a whole. */
export function projectMessageOf(event: RecordedEvent): Message | null {
  if (isFinding(event)) return booksMessageOf(event);
  return isFigureLeftBand(event) ? figureMessageOf(event) : null;
}

/** Returns the fields of an invented event of the kind, of the instant `at`. */
export function projectExampleOf(kind: Exclude<ProjectKind, 'TEST'>, at: string): Fields {
  return kind === 'FIGURE_OUT_OF_BAND' ? figureExampleOf(at) : booksExampleOf(kind, at);
}

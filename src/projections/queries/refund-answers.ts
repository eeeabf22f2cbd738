// Which questions of the stores about a refund have no answer, so that the timeline says so.
import type { RecordedEvent } from '../../domain/envelope.js';
import { ofFamily } from '../../domain/vocabulary.js';

/** Returns the IDs of the questions to which no answer was sent that the store took; the same before and after their time. */
export function unansweredQuestionsIn(events: readonly RecordedEvent[]): ReadonlySet<string> {
  const questions = new Map<string, string>();
  const answered = new Set<string>();
  for (const stored of events) {
    const event = ofFamily(stored, 'subscriber');
    if (event?.type === 'ConsumptionInformationRequested') questions.set(event.id, nameOf(event.data));
    if (event?.type === 'RefundAnswerSent' && event.data.refusal === null) answered.add(nameOf(event.data));
  }
  return new Set([...questions].flatMap(([id, name]) => (answered.has(name) ? [] : [id])));
}

function nameOf(question: { readonly transactionId: string; readonly respondBy: string }): string {
  return `${question.transactionId}|${question.respondBy}`;
}

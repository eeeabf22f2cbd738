// Webhook message about a watched figure that left its usual band.
import { bandSentence } from '../charts/band-sentence.js';
import { findChart } from '../charts/catalogue/catalogue.js';
import type { RecordedEvent } from '../envelope.js';
import type { ProjectData, ProjectEvent } from '../project/events.js';
import { msFromIso } from '../time.js';
import type { Message } from './messages.js';
import type { Fields } from './purchase-fields.js';

type FigureEvent = Extract<ProjectEvent, { type: 'FigureLeftBand' }>;

export function isFigureLeftBand(event: RecordedEvent): event is RecordedEvent<FigureEvent> {
  return event.type === 'FigureLeftBand';
}

export function figureMessageOf({ data, meta }: RecordedEvent<FigureEvent>): Message {
  const fields = fieldsOf(data, meta.at);
  return { kind: 'FIGURE_OUT_OF_BAND', appId: null, environment: 'production', fields };
}

/** `sentence` is marked as money, because it contains the figure. */
function fieldsOf(data: ProjectData<'FigureLeftBand'>, at: string): Fields {
  const { chartId, measure, unit, day, side, figure, days } = data;
  const name = findChart(chartId)?.measures.find(({ id }) => id === measure)?.name ?? measure;
  const sentence = bandSentence({ name, unit, day, value: figure.value, verdict: side, band: { ...figure, days } });
  return { eventTimestampMs: msFromIso(at), chartId, measure, unit, day, side, days, figure, sentence };
}

/** Returns the fields of an invented event of the day before `at`. */
export function figureExampleOf(at: string): Fields {
  const day = new Date(msFromIso(at) - 86_400_000).toISOString().slice(0, 10);
  const figure = { value: 412.5, low: 900, high: 1500.25, median: 1200, spread: 75.06 };
  const of = { chartId: 'revenue', measure: 'revenue', unit: 'usd' as const };
  return fieldsOf({ ...of, day, side: 'low', figure, days: 12 }, at);
}

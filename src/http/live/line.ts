// Lines of a live feed as server-sent events. A line is serialized once for each sight.
import type { LogPosition } from '../../domain/envelope.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { createRedaction } from '../bodies/redact.js';
import { liveData } from './responses.js';

/** `position` is null for a delivery attempt, which is not in the log, so that no reader can resume from it. */
export type LiveLine = {
  readonly position: LogPosition | null;
  readonly projectId: string;
  readonly event: keyof typeof liveData;
  readonly data: object;
};

const plans = {
  notification: createRedaction(liveData.notification),
  event: createRedaction(liveData.event),
  delivery: createRedaction(liveData.delivery),
};
const texts = new WeakMap<LiveLine, Map<string, string>>();

/** Returns the text of a line, redacted for a sight. */
export function serializeLine(line: LiveLine, sight: FieldVisibility): string {
  const key = `${sight.money}|${sight.personal}|${sight.secret}`;
  const ofLine = texts.get(line) ?? new Map<string, string>();
  const cached = ofLine.get(key);
  if (cached !== undefined) return cached;
  const { position, event, data } = line;
  const id = position === null ? '' : `id: ${position}\n`;
  const text = `${id}event: ${event}\ndata: ${JSON.stringify(plans[event](sight)(data))}\n\n`;
  texts.set(line, ofLine.set(key, text));
  return text;
}

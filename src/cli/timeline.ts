// `subledger timeline`: prints a customer's story from the log, beside a running service or without one.
import { presentTimelineEntry } from '../http/present/customer.js';
import { fail } from './failure.js';
import { openForReading } from './open-for-reading.js';
import { readStory, type Story } from './story.js';
import { storyText } from './story-text.js';

export async function timeline(projectId: string, customer: string, o: { readonly json?: true }): Promise<void> {
  try {
    const reading = await openForReading(process.env);
    try {
      const story = await readStory(reading, projectId, customer);
      const text = o.json ? JSON.stringify(asJson(story), null, 2) : storyText(story).join('\n');
      process.stdout.write(`${text}\n`);
    } finally {
      await reading.close();
    }
  } catch (err) {
    fail(err);
  }
}

/** Entries as the HTTP endpoint shows them, oldest first. */
function asJson({ entries, ...customer }: Story) {
  return { ...customer, items: entries.map(({ entry, cause }) => presentTimelineEntry(entry, cause)) };
}

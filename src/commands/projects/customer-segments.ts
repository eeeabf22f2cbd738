// Saved filters of the customer list: one record per project, oldest first, shared by its members. They affect no decision and no figure, so
// that they are records and not events.
import { readRecord, recordsNamed, updateRecord } from '../../adapters/documents/records.js';
import { Rejection } from '../../domain/errors.js';
import { isoFromMs } from '../../domain/time.js';
import type { JsonObject } from '../../domain/values/json-object.js';
import type { Deps } from '../handling/deps.js';

export const customerSegmentCollection = { name: recordsNamed<SegmentsRecord>('customer_segments'), indexes: [] };
const { name: c } = customerSegmentCollection;

export type CustomerSegment = {
  /** `seg_…`, sorts by creation. */
  readonly segmentId: string;
  readonly name: string;
  /** Filters and order of the customer list. */
  readonly query: JsonObject;
  readonly createdAt: string;
};
type SegmentsRecord = { readonly projectId: string; readonly segments: readonly CustomerSegment[] };

const MAX_SEGMENTS = 100;

type Needs = Pick<Deps, 'docs' | 'runtime'>;

/** Throws {@link Rejection} when the project has the maximum number of segments, or one of this name. */
export async function saveCustomerSegment(
  { docs, runtime }: Needs,
  projectId: string,
  o: Pick<CustomerSegment, 'name' | 'query'>,
): Promise<CustomerSegment> {
  const segment = { segmentId: runtime.newId('seg'), ...o, createdAt: isoFromMs(runtime.now()) };
  await updateRecord(docs, c, projectId, (doc) => {
    const segments = segmentsIn(doc);
    if (segments.length >= MAX_SEGMENTS) {
      const advice = `a project can have at most ${MAX_SEGMENTS} segments; delete one first`;
      throw new Rejection('conflict', 'too-many-segments', advice);
    }
    if (segments.some(({ name }) => name === o.name)) {
      throw new Rejection('conflict', 'segment-exists', 'a segment of this project has this name; use another name');
    }
    return { projectId, segments: [...segments, segment] };
  });
  return segment;
}

/** Throws {@link Rejection} when the project has no such segment. */
export async function deleteCustomerSegment(
  { docs }: Pick<Needs, 'docs'>,
  projectId: string,
  segmentId: string,
): Promise<void> {
  await updateRecord(docs, c, projectId, (doc) => {
    const segments = segmentsIn(doc);
    const others = segments.filter((s) => s.segmentId !== segmentId);
    if (others.length === segments.length) throw new Rejection('missing', 'segment-unknown', 'segment not found');
    return { projectId, segments: others };
  });
}

/** Returns the segments, oldest first. */
export async function readCustomerSegments(
  { docs }: Pick<Needs, 'docs'>,
  projectId: string,
): Promise<readonly CustomerSegment[]> {
  return segmentsIn((await readRecord(docs, c, projectId)).doc);
}

function segmentsIn(record: SegmentsRecord | null): readonly CustomerSegment[] {
  return record?.segments ?? [];
}

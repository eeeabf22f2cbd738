// Answer of a receiver in words.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { answerText, type Answer } from '../names/problems';

const RECENT = 20;
const EVERY_MS = 15_000;

/** Describes the last of some attempts. */
export function lastAnswer(attempts: readonly Answer[]): string {
  const last = attempts.at(-1);
  return last ? answerText(last) : 'not tried yet';
}

/** Describes why a webhook fails, from its deliveries: its state does not contain the error of a connection. */
export function LastProblem({ webhookId }: { readonly webhookId: string }) {
  const { project } = useProject();
  const params = { path: { id: project.id, wid: webhookId }, query: { limit: RECENT } };
  const { data } = useQuery(
    `last-problem|${webhookId}`,
    (signal) => unwrap(api.GET('/v1/projects/{id}/webhooks/{wid}/deliveries', { params, signal })),
    { every: EVERY_MS },
  );
  const failed = data?.items.find(({ state, attempts }) => state !== 'delivered' && attempts.length > 0);
  return <>{failed ? lastAnswer(failed.attempts) : 'no answer'}</>;
}

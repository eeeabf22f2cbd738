// Names of the project's experiments instead of their IDs.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';

const ID = /\bexp_[0-9a-z]+/g;

/** Returns the text with the names of the experiments that it mentions, once they are loaded. */
export function useExperimentWording(text: string): string {
  const { project, may } = useProject();
  const isNeeded = text.includes('exp_') && may('readSetup');
  const params = { path: { id: project.id }, query: { limit: 100 } };
  const { data } = useQuery(isNeeded ? `experiment-names|${project.id}` : null, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/experiments', { params, signal })),
  );
  return text.replaceAll(ID, (id) => {
    const name = data?.items.find((one) => one.id === id)?.name;
    return name === undefined ? id : `“${name}”`;
  });
}

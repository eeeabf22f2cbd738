// From an empty project to its first customer without reading anything: what is done, what is next, and whether it works.
import { api, ask } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { Shown } from '../parts/states';
import { Time } from '../parts/time';
import { ApiKeys } from './api-keys';
import { Apps } from './apps';
import { Catalogue } from './catalogue';
import { Evidence } from './evidence';
import { Offerings } from './offerings';
import '../styles/setup.css';

const EVERY_MS = 10_000;

export default function SetupPage() {
  const { project, may } = useProject();
  const status = useQuery(
    `setup|${project.id}`,
    (signal) => ask(api.GET('/v1/projects/{id}/setup-status', { params: { path: { id: project.id } }, signal })),
    { every: EVERY_MS },
  );
  return (
    <>
      <h1>Set-up</h1>
      <Shown of={status} what="the set-up">
        {({ steps, completedSteps, totalSteps, complete, evidence }) => (
          <>
            <section class="card" aria-labelledby="steps-title">
              <h2 id="steps-title">
                {complete ? 'All that is needed is done' : `${completedSteps} of ${totalSteps} steps done`}
              </h2>
              <ol class="steps">
                {steps.map(({ id, title, done, doneAt, required }) => (
                  <li key={id} class={done ? 'done' : undefined}>
                    <span aria-hidden="true">{done ? '✓' : '○'}</span>
                    <span>
                      {title}
                      <span class="visually-hidden">{done ? ', done' : ', to do'}</span>
                      {!required && <small> may be left out</small>}
                    </span>
                    {doneAt && (
                      <small>
                        <Time at={doneAt} />
                      </small>
                    )}
                  </li>
                ))}
              </ol>
            </section>
            <Evidence evidence={evidence} />
          </>
        )}
      </Shown>
      <Apps />
      <Catalogue />
      <Offerings />
      {may('administer') && <ApiKeys />}
    </>
  );
}

// Setup guide from an empty project to its first customer: completed steps, the next one, and whether it works.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { ApiKeys } from './api-keys';
import { Apps } from './apps';
import { Catalogue } from './catalogue';
import { Evidence } from './evidence';
import { Offerings } from './offerings';
import '../styles/setup.css';

const EVERY_MS = 10_000;
/** Instructions for each step; the server provides the titles. */
const STEP_INSTRUCTIONS: Readonly<Record<string, string>> = {
  create_app: 'Under “Apps”, with its bundle ID or package name.',
  add_credentials: 'Under the app’s “Credentials”. They are used to fetch missed notifications from the store.',
  receive_store_notification:
    'Copy the app’s notification address into the store’s console and send a test from there.',
  create_product: 'Under “Products and entitlements”, with its store product ID.',
  create_entitlement: 'Under “Products and entitlements”: what a purchase unlocks, such as pro.',
  attach_product_to_entitlement: 'Under “Attach product”, so that buyers get access.',
  create_offering_with_package: 'Under “Offerings”: the app reads it to know what to sell.',
  create_public_api_key: 'Under “API keys”, for the app: it is shown once.',
  first_customer: 'Start the app with its key and watch “Live” for the first customer.',
  first_purchase: 'Make a purchase with a store sandbox account and watch “Live”.',
};

export default function SetupPage() {
  const { project, may } = useProject();
  const status = useQuery(
    `setup|${project.id}`,
    (signal) => unwrap(api.GET('/v1/projects/{id}/setup-status', { params: { path: { id: project.id } }, signal })),
    { every: EVERY_MS },
  );
  return (
    <>
      <h1>Setup</h1>
      <QueryView of={status} what="the set-up">
        {({ steps, completedSteps, totalSteps, complete, evidence }) => {
          const next = steps.find(({ done, required }) => required && !done);
          return (
            <>
              <section class="card" aria-labelledby="steps-title">
                <h2 id="steps-title">
                  {complete ? 'Setup is complete' : `${completedSteps} of ${totalSteps} steps done`}
                </h2>
                {next && (
                  <p>
                    <strong>Next: {next.title}.</strong> {STEP_INSTRUCTIONS[next.id]}
                  </p>
                )}
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
          );
        }}
      </QueryView>
      <Apps />
      <Catalogue />
      <Offerings />
      {may('administer') && <ApiKeys />}
    </>
  );
}

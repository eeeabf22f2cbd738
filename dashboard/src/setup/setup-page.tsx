// Setup of a project as a reference: what is missing, apps, catalogue, offerings and API keys. A guide for each app is a page of its own.
import { useProject } from '../context/project';
import { Link } from '../parts/link';
import { QueryView } from '../parts/states';
import { ApiKeys } from './api-keys';
import { Apps } from './apps';
import { Catalogue } from './catalogue';
import { Problems, SdkCalls } from './evidence';
import { useApps, useSetupStatus } from './lists';
import { Offerings } from './offerings';
import '../styles/setup.css';

const EVERY_MS = 10_000;

export default function SetupPage() {
  const { project, may } = useProject();
  const status = useSetupStatus(EVERY_MS);
  return (
    <>
      <h1>Setup</h1>
      <QueryView of={status} what="the setup">
        {({ steps, completedSteps, totalSteps, complete, evidence }) => (
          <>
            {complete && <p class="hint">Setup is complete.</p>}
            {!complete && project.demo === null && (
              <NextStep
                title={steps.find(({ required, done }) => required && !done)?.title ?? ''}
                done={completedSteps}
                total={totalSteps}
              />
            )}
            <Problems evidence={evidence} />
            <Apps evidence={evidence.apps} />
            <Catalogue />
            <Offerings />
            {may('administer') && <ApiKeys />}
            <SdkCalls calls={evidence.sdkCalls} />
          </>
        )}
      </QueryView>
    </>
  );
}

function NextStep({ title, done, total }: { readonly title: string; readonly done: number; readonly total: number }) {
  const { base, may } = useProject();
  const [app] = useApps().data?.items ?? [];
  return (
    <section class="note" aria-labelledby="next-title">
      <h2 id="next-title">Next: {title}</h2>
      <p>
        {done} of {total} steps done.{' '}
        {app && may('administer') && <Link to={`${base}/setup/${app.id}`}>Continue with {app.name}</Link>}
      </p>
      <progress aria-labelledby="next-title" value={done} max={total} />
    </section>
  );
}

// Guide that connects an app: one step at a time, and the evidence of each completed step.
import { Check, Circle } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { useProject } from '../../context/project';
import type { PageProps } from '../../context/router';
import { Icon } from '../../parts/icon';
import { Link } from '../../parts/link';
import { Empty, Loading, QueryView } from '../../parts/states';
import { NewKey } from '../api-keys';
import { useApps } from '../lists';
import { useAppSteps, type AppStep, type StepId } from './app-steps';
import { OfferingStep, ProductStep } from './catalogue-steps';
import { CredentialsStep, KeyStep, NotificationsStep, PurchaseStep } from './store-steps';
import '../../styles/setup.css';

type App = Schemas['App'];

export default function WizardPage({ params }: PageProps) {
  const { base } = useProject();
  const apps = useApps();
  return (
    <QueryView of={apps} what="the app">
      {({ items }) => {
        const app = items.find(({ id }) => id === params['appId']);
        return app ? (
          <Wizard key={app.id} app={app} />
        ) : (
          <>
            <h1>App not found</h1>
            <Empty title="The app was deleted, or it belongs to another project.">
              <Link to={`${base}/setup`}>Setup</Link>
            </Empty>
          </>
        );
      }}
    </QueryView>
  );
}

function Wizard({ app }: { readonly app: App }) {
  const { base } = useProject();
  const steps = useAppSteps(app);
  const [skipped, setSkipped] = useState<readonly StepId[]>([]);
  const [chosen, setChosen] = useState<StepId | null>(null);
  /** Outlives its step, which is complete as soon as the key exists. */
  const [key, setKey] = useState<string | null>(null);
  const open = steps?.filter(({ isDone }) => !isDone) ?? [];
  const current = chosen ?? (open.find(({ id }) => !skipped.includes(id)) ?? open[0])?.id;
  const skip = (id: StepId) => {
    setSkipped([...skipped, id]);
    setChosen(null);
  };
  const done = (steps?.length ?? 0) - open.length;
  return (
    <>
      <p class="hint">
        <Link to={`${base}/setup`}>Setup</Link>
      </p>
      <h1>Connect {app.name}</h1>
      {steps ? (
        <>
          <p class="hint" role="status">
            {open.length === 0 ? `${app.name} is connected.` : `${done} of ${steps.length} steps done`}
          </p>
          <ol class="wizard">
            {steps.map((step) => (
              <Step key={step.id} step={step} isCurrent={step.id === current} onChoose={() => setChosen(step.id)}>
                <StepBody
                  id={step.id}
                  app={app}
                  onDone={() => setChosen(null)}
                  onSkip={() => skip(step.id)}
                  onKey={setKey}
                />
              </Step>
            ))}
          </ol>
        </>
      ) : (
        <Loading what="the steps" />
      )}
      {key !== null && (
        <NewKey created={{ key, isForAssistant: false, platform: app.platform }} onClose={() => setKey(null)} />
      )}
    </>
  );
}

function Step({
  step: { title, isDone, evidence },
  isCurrent,
  onChoose,
  children,
}: {
  readonly step: AppStep;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <li class={isDone ? 'done' : undefined} aria-current={isCurrent ? 'step' : undefined}>
      <Icon of={isDone ? Check : Circle} />
      <div>
        <h2>
          {isCurrent ? (
            title
          ) : (
            <button type="button" class="as-link" onClick={onChoose}>
              {title}
            </button>
          )}
          <span class="visually-hidden">{isDone ? ', done' : ', to do'}</span>
        </h2>
        {isDone && <p class="hint">{evidence}</p>}
        {isCurrent && <div class="step-body">{children}</div>}
      </div>
    </li>
  );
}

type BodyProps = {
  readonly id: StepId;
  readonly app: App;
  readonly onDone: () => void;
  readonly onSkip: () => void;
  readonly onKey: (key: string) => void;
};

function StepBody({ id, app, onDone, onSkip, onKey }: BodyProps) {
  switch (id) {
    case 'notifications':
      return <NotificationsStep app={app} onSkip={onSkip} />;
    case 'credentials':
      return <CredentialsStep app={app} onDone={onDone} onSkip={onSkip} />;
    case 'product':
      return <ProductStep app={app} onDone={onDone} />;
    case 'offering':
      return <OfferingStep app={app} onDone={onDone} />;
    case 'key':
      return <KeyStep app={app} onDone={onDone} onKey={onKey} />;
    case 'purchase':
      return <PurchaseStep app={app} />;
  }
}

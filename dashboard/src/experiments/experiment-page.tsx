// One experiment: its variants, their results, and start, pause and end.
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject } from '../context/project';
import { navigate, type PageProps } from '../context/router';
import { metricName } from '../names/experiments';
import { FormDialog } from '../parts/form-dialog';
import { Confirm } from '../parts/confirm';
import { formatInUnit } from '../parts/format';
import { Form, Select } from '../parts/form';
import { Link } from '../parts/link';
import { Menu } from '../parts/menu';
import { QueryView } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import {
  experimentBody,
  ExperimentFields,
  runningExperimentBody,
  RunningExperimentFields,
  type Experiment,
} from './experiment-fields';
import { Results } from './results';
import { Variants } from './variants';

const EVERY_MS = 15_000;

export default function ExperimentPage({ params: { eid = '' } }: PageProps) {
  const { project, base, may } = useProject();
  const params = { path: { id: project.id, eid } };
  const read = useQuery(
    `experiment|${project.id}|${eid}`,
    (signal) => unwrap(api.GET('/v1/projects/{id}/experiments/{eid}', { params, signal })),
    { every: EVERY_MS },
  );
  return (
    <>
      <p>
        <Link to={`${base}/experiments`}>All experiments</Link>
      </p>
      <h1>{read.data?.name ?? 'Experiment'}</h1>
      <QueryView of={read} what="the experiment">
        {(experiment) => (
          <>
            <section class="card" aria-label="The experiment">
              <Facts experiment={experiment} />
              {may('configure') && <Actions experiment={experiment} />}
            </section>
            <Variants experiment={experiment} />
            <Results experiment={experiment} />
          </>
        )}
      </QueryView>
    </>
  );
}

function Facts({ experiment }: { readonly experiment: Experiment }) {
  const { status, description, primaryMetric, enrollmentPercentage, audience, startedAt, stoppedAt } = experiment;
  const { countries, platforms, minAppVersion } = audience;
  const whom = [
    platforms && `on ${platforms.join(', ')}`,
    countries && `in ${countries.join(', ')}`,
    minAppVersion && `from version ${minAppVersion}`,
  ].filter(Boolean);
  return (
    <>
      <p>
        <StatusBadge status={status} /> {description}
      </p>
      <dl>
        <dt>Takes part</dt>
        <dd>
          {formatInUnit(enrollmentPercentage, 'percent')} of new customers{whom.length > 0 && `, ${whom.join(', ')}`}
        </dd>
        <dt>Primary metric</dt>
        <dd>{metricName(primaryMetric)}</dd>
        {startedAt && (
          <>
            <dt>Started</dt>
            <dd>
              <Time at={startedAt} />
            </dd>
          </>
        )}
        {stoppedAt && (
          <>
            <dt>Stopped</dt>
            <dd>
              <Time at={stoppedAt} />
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

function Actions({ experiment }: { readonly experiment: Experiment }) {
  const { project, base } = useProject();
  const { id, name, status, variants } = experiment;
  const params = { path: { id: project.id, eid: id } };
  const change = (body: Schemas['UpdateExperimentBody']) =>
    unwrap(api.PATCH('/v1/projects/{id}/experiments/{eid}', { params, body }));
  const turn = (next: 'running' | 'paused') => async () => {
    await change({ status: next });
    invalidate();
    toast(next === 'running' ? 'Running: new customers are enrolled.' : 'Paused: no new customers are enrolled.');
  };
  const stop = (data: FormData) => {
    const winner = String(data.get('winnerVariantId') ?? '');
    return change({ status: 'stopped', ...(winner !== '' && { winnerVariantId: winner }) });
  };
  const remove = async () => {
    await unwrap(api.DELETE('/v1/projects/{id}/experiments/{eid}', { params }));
    navigate(`${base}/experiments`, { replaces: true });
  };
  const isOpen = status !== 'stopped';
  return (
    <div class="row controls actions">
      {status === 'draft' && (
        <FormDialog
          label="Start"
          title={`Start ${name}`}
          action="Start"
          add={() => change({ status: 'running' })}
          done="Running: new customers are enrolled."
        >
          <p>New customers are enrolled from now on. Variants and their shares can no longer be changed.</p>
        </FormDialog>
      )}
      {status === 'paused' && (
        <Form label="Continue" submit={turn('running')}>
          {null}
        </Form>
      )}
      {status === 'running' && (
        <Form label="Pause" submit={turn('paused')} isPlain>
          {null}
        </Form>
      )}
      <Menu label={`Actions for ${name}`}>
        {isOpen && (
          <FormDialog
            label="Edit"
            title={`Edit ${name}`}
            action="Save"
            add={(data) => change(status === 'draft' ? experimentBody(data, experiment) : runningExperimentBody(data))}
            done="Saved."
          >
            {status === 'draft' ? (
              <ExperimentFields experiment={experiment} />
            ) : (
              <RunningExperimentFields experiment={experiment} />
            )}
          </FormDialog>
        )}
        {isOpen && status !== 'draft' && (
          <Confirm
            label="Stop"
            title={`Stop ${name}`}
            run={stop}
            done="Stopped."
            breaks="No new customers are enrolled. A stopped experiment cannot be restarted; its results stay."
          >
            <Select
              label="Winner"
              name="winnerVariantId"
              options={[['', 'none yet'], ...variants.map((one) => [one.id, one.name] as const)]}
            />
          </Confirm>
        )}
        <Confirm
          label="Delete"
          title={`Delete ${name}`}
          run={remove}
          done="Deleted."
          breaks="Its results are no longer shown. Purchases stay."
        />
      </Menu>
    </div>
  );
}

// Experiments of a project, with their state and audience.
import { api, unwrap, unwrapAll } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { navigate } from '../context/router';
import { formatInUnit } from '../parts/format';
import { FormDialog } from '../parts/form-dialog';
import { Link } from '../parts/link';
import { Empty, QueryView } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { experimentBody, ExperimentFields } from './experiment-fields';

export default function ExperimentsPage() {
  const { project, base, may } = useProject();
  const path = { id: project.id };
  const experiments = useQuery(`experiments|${project.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/experiments', { params: { path, query }, signal })),
  );
  const add = async (data: FormData) => {
    const { id } = await unwrap(
      api.POST('/v1/projects/{id}/experiments', { params: { path }, body: experimentBody(data) }),
    );
    navigate(`${base}/experiments/${id}`);
  };
  return (
    <>
      <div class="head">
        <h1>Experiments</h1>
        {may('configure') && (
          <FormDialog label="Add experiment" add={add} done="Added. Now give it two variants or more.">
            <ExperimentFields />
          </FormDialog>
        )}
      </div>
      <QueryView of={experiments} what="the experiments">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No experiments yet.">
              <p>
                An experiment shows new customers different offerings and counts what they buy.{' '}
                {may('configure') ? 'Add one above.' : 'An owner or admin of the project can add one.'}
              </p>
            </Empty>
          ) : (
            <div class="scroll">
              <table>
                <caption class="visually-hidden">Experiments</caption>
                <thead>
                  <tr>
                    <th scope="col">Experiment</th>
                    <th scope="col">State</th>
                    <th scope="col">Started</th>
                    <th scope="col">Stopped</th>
                    <th scope="col" class="number">
                      Takes part
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ id, name, status, startedAt, stoppedAt, enrollmentPercentage }) => (
                    <tr key={id}>
                      <th scope="row">
                        <Link to={`${base}/experiments/${id}`}>{name}</Link>
                      </th>
                      <td>
                        <StatusBadge status={status} />
                      </td>
                      <td>{startedAt ? <Time at={startedAt} /> : '–'}</td>
                      <td>{stoppedAt ? <Time at={stoppedAt} /> : '–'}</td>
                      <td class="number">{formatInUnit(enrollmentPercentage, 'percent')}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </QueryView>
    </>
  );
}

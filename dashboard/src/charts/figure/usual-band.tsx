// The usual band of a chart's daily figure, how it follows, and the button that has it watched.
import { api, unwrap, type Schemas } from '../../api/client';
import { invalidate, useQuery } from '../../api/query';
import { useProject } from '../../context/project';
import { Form } from '../../parts/form';
import { calendarDay, formatInUnit } from '../../parts/format';
import { Link } from '../../parts/link';
import { QueryView } from '../../parts/states';
import { toast } from '../../parts/toast';

export function UsualBand({ chartId }: { readonly chartId: string }) {
  const { project } = useProject();
  const params = { path: { id: project.id, chartId } };
  const band = useQuery(`band|${project.id}|${chartId}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}/band', { params, signal })),
  );
  return (
    <QueryView of={band} what="the usual band">
      {(loaded) => (
        <>
          <p>{loaded.sentence}</p>
          <p class="hint">{loaded.method}</p>
          <Watch band={loaded} />
          <Earlier band={loaded} />
        </>
      )}
    </QueryView>
  );
}

type Band = Schemas['UsualBand'];

function Watch({ band: { chartId, isWatched } }: { readonly band: Band }) {
  const { project, base, may } = useProject();
  const change = async () => {
    const params = { path: { id: project.id, chartId } };
    const body = { isWatched: !isWatched };
    await unwrap(api.PUT('/v1/projects/{id}/metrics/charts/{chartId}/watch', { params, body }));
    invalidate();
    toast(isWatched ? 'No longer watched.' : 'Watched from now on.');
  };
  return (
    <>
      <p>
        {isWatched
          ? 'The figure is watched: a day outside of its band is sent to '
          : 'Nobody is told about a day outside of the band. If the figure is watched, such a day is sent to '}
        <Link to={`${base}/webhooks`}>webhooks</Link>, as FIGURE_OUT_OF_BAND.
      </p>
      {may('configure') && (
        <Form label={isWatched ? 'Stop watching' : 'Watch'} submit={change} isPlain>
          {null}
        </Form>
      )}
    </>
  );
}

function Earlier({ band: { earlier, unit } }: { readonly band: Band }) {
  if (earlier.length === 0) return null;
  return (
    <table>
      <caption>The same weekdays before</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" class="number">
            Figure
          </th>
        </tr>
      </thead>
      <tbody>
        {earlier.map((one) => (
          <tr key={one.day}>
            <th scope="row">{calendarDay(one.day)}</th>
            <td class="number">{formatInUnit(one.value, unit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// Overview: key figures with their course, recent transactions, what needs attention, and the last hour.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { environment } from '../context/router';
import { timeZone } from '../context/time-zone';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { Figure } from './figure';
import { LastHour } from './last-hour';
import { OpenProblems } from './open-problems';
import { RecentTransactions } from './recent-transactions';
import { ViewFigures } from './view-figures';
import { useRecentTransactions } from './use-recent-transactions';
import '../styles/overview.css';

const EVERY_MS = 10_000;

/** Days of figures do not depend on the time zone of the project. */
function zoneNote(zone: string): string {
  return zone === 'UTC' ? 'Times are UTC.' : `Times are those of ${zone}, days of figures those of UTC.`;
}

export default function OverviewPage() {
  const { project, may } = useProject();
  const env = environment.value;
  const overview = useQuery(
    `overview|${project.id}|${env}`,
    (signal) =>
      unwrap(
        api.GET('/v1/projects/{id}/metrics/overview', {
          params: { path: { id: project.id }, query: { environment: env } },
          signal,
        }),
      ),
    { every: EVERY_MS },
  );
  const recent = useRecentTransactions();
  return (
    <>
      <h1>Overview</h1>
      <QueryView of={overview} what="the figures">
        {({ metrics }) => (
          <>
            <ul class="overview-figures">
              {metrics.map((metric) => (
                <Figure key={metric.id} metric={metric} />
              ))}
            </ul>
            {metrics[0] && (
              <p class="hint">
                As of <Time at={metrics[0].lastUpdatedAt} />. {zoneNote(timeZone.value)} Dashed: the current day, which
                is not complete yet.
              </p>
            )}
          </>
        )}
      </QueryView>
      {may('readCharts') && <ViewFigures />}
      <div class="overview-columns">
        <RecentTransactions recent={recent} />
        <div>
          <OpenProblems staleSince={overview.data?.staleSince} />
          <LastHour recent={recent} />
        </div>
      </div>
    </>
  );
}

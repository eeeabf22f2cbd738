// All charts by category, and the user's saved views.
import { useProject } from '../context/project';
import { Link } from '../parts/link';
import { QueryView } from '../parts/states';
import { useViews } from './use-views';
import { Views } from './views';
import { useCharts } from './use-charts';
import '../styles/charts-page.css';

const CATEGORIES: Readonly<Record<string, string>> = {
  revenue: 'Revenue',
  subscriptions: 'Subscriptions',
  trials: 'Trials',
  conversion: 'Conversion',
  customers: 'Customers',
  cohort: 'Cohorts',
};

export default function ChartsPage() {
  const { base } = useProject();
  const charts = useCharts();
  const views = useViews();
  return (
    <>
      <h1>Charts</h1>
      {views.data && views.data.items.length > 0 && <Views views={views.data.items} />}
      <QueryView of={charts} what="the charts">
        {({ items }) => (
          <div class="catalogue">
            {[...new Set(items.map(({ category }) => category))].map((category) => (
              <section key={category} class="card" aria-labelledby={`charts-${category}`}>
                <h2 id={`charts-${category}`}>{CATEGORIES[category] ?? category}</h2>
                <ul class="plain">
                  {items
                    .filter((chart) => chart.category === category)
                    .map((chart) => (
                      <li key={chart.id}>
                        <h3>
                          <Link to={`${base}/charts/${chart.id}`}>{chart.name}</Link>
                        </h3>
                        <p class="hint">{chart.description}</p>
                      </li>
                    ))}
                </ul>
              </section>
            ))}
          </div>
        )}
      </QueryView>
    </>
  );
}

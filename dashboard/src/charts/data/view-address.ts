// Addresses of saved views: the query of the chart's page, which contains all that was seen.

type SavedView = { readonly id: string; readonly pageQuery: string; readonly query: Readonly<Record<string, unknown>> };

/** Returns the query of the page without the view that it was opened as. */
export function pageQueryOf(query: URLSearchParams): string {
  const own = new URLSearchParams(query);
  own.delete('view');
  return own.toString();
}

/** Returns the path of a view below its project. Views of former versions have only the parameters of the chart. */
export function viewPath({ id, pageQuery, query }: SavedView): string {
  const { chartId, ...parameters } = query;
  const params = new URLSearchParams(pageQuery);
  if (pageQuery === '') {
    for (const [name, value] of Object.entries(parameters)) {
      for (const one of [value].flat()) params.append(name, String(one));
    }
  }
  params.set('view', id);
  return `/charts/${encodeURIComponent(String(chartId))}?${params.toString()}`;
}

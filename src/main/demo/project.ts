// Creation of a demo project, on an instance that has no other projects than demos.
import { createProject, deleteProject } from '../../commands/projects/projects.js';
import { Rejection } from '../../domain/errors.js';
import type { DemoOwner } from '../../http/demo/demo.js';
import { waitForReadModels } from '../../http/dispatch/consistency.js';
import type { Services } from '../../http/dispatch/services.js';
import { readMemberships } from '../../http/projects/memberships.js';
import { projects } from '../../projections/models/projects.js';
import type { ReadModels } from '../../projections/queries/read-models.js';

const SETTINGS = { transferBehavior: 'transfer', sandboxAccess: 'anybody', displayCurrency: 'USD' } as const;

export type DemoCreation<T> = {
  /** Runs the work at the start of the simulated past. */
  readonly at: <R>(work: () => R) => R;
  readonly fill: (projectId: string) => Promise<T>;
};

/** Returns what filled the project; deletes a project that could not be filled. Throws {@link Rejection} if there are real projects. */
export async function createDemoProject<T>(
  services: Services,
  { userId: ownerId, by }: DemoOwner,
  { at, fill }: DemoCreation<T>,
): Promise<T> {
  const { deps, readModels } = services;
  if (await hasRealProject(readModels)) {
    throw new Rejection(
      'conflict',
      'real-projects',
      'demo projects are only available on an instance without real projects; start a separate instance',
    );
  }
  const fields = { name: 'Stargazer (demo)', ownerId, isDemo: true, ...SETTINGS };
  const { projectId, position } = await at(() => createProject(deps, by, fields));
  try {
    await waitForReadModels(services, position ?? undefined, [projects]);
    return await fill(projectId);
  } catch (err) {
    await deleteProject(deps, by, projectId);
    throw err;
  }
}

async function hasRealProject(readModels: ReadModels): Promise<boolean> {
  for await (const { project } of readMemberships(readModels, null)) if (!project.isDemo) return true;
  return false;
}

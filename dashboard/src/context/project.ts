// Current project and the permissions of the role in it. The server enforces them; the dashboard only hides what it would reject.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Schemas } from '../api/client';

export type Project = Schemas['Project'];
export type Role = Project['role'];

const ALL = ['owner', 'admin', 'analyst', 'finance', 'support', 'viewer'] as const;
const may = {
  administer: ['owner', 'admin'],
  configure: ['owner', 'admin'],
  readSetup: ALL,
  readCharts: ['owner', 'admin', 'analyst', 'finance', 'viewer'],
  closeBooks: ['owner', 'admin', 'finance'],
  keepReplays: ['owner', 'admin', 'analyst'],
  keepSegments: ['owner', 'admin', 'analyst', 'support'],
  annotate: ['owner', 'admin', 'analyst'],
  readCustomers: ALL,
  changeSubscriber: ['owner', 'admin', 'support'],
  support: ['owner', 'admin', 'support'],
  erase: ['owner', 'admin'],
  deleteProject: ['owner'],
} satisfies Readonly<Record<string, readonly Role[]>>;
export type Permission = keyof typeof may;

export function roleMay(role: Role, permission: Permission): boolean {
  return (may[permission] as readonly Role[]).includes(role);
}

export const ProjectContext = createContext<Project | null>(null);

/** Requires a page of a project as an ancestor. */
export function useProject(): {
  readonly project: Project;
  readonly base: string;
  readonly may: (p: Permission) => boolean;
} {
  const project = useContext(ProjectContext);
  if (!project) throw new Error('this part is for pages of a project');
  return { project, base: `/projects/${project.id}`, may: (permission) => roleMay(project.role, permission) };
}

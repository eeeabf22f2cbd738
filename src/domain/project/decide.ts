// The rules of a project, its API keys and its annotations. The rules of apps are in decide-app.ts, those of members in decide-member.ts.
import { change } from '../changes.js';
import type { Decider } from '../decider.js';
import { Rejection } from '../errors.js';
import { decideApp, type AppCommand } from './decide-app.js';
import { decideMember, type MemberCommand } from './decide-member.js';
import { type ProjectEvent, projectEvents, type ProjectData } from './events.js';
import { evolveProject, type Project, type ProjectSettings } from './state.js';

export type ProjectNotice = Extract<
  ProjectEvent,
  { type: 'RenewalExtensionCompleted' | 'ExternalPurchaseTokenReceived' | 'AppConsentRescinded' }
>;

export type ProjectChanges = { readonly [K in keyof ProjectSettings]?: ProjectSettings[K] | undefined };

export type ProjectCommand =
  | AppCommand
  | AnnotationCommand
  | MemberCommand
  | FigureCommand
  | { readonly kind: 'recordNotice'; readonly notice: ProjectNotice }
  | { readonly kind: 'create'; readonly project: ProjectData<'ProjectCreated'> }
  | { readonly kind: 'update'; readonly set: ProjectChanges }
  | { readonly kind: 'delete' }
  | { readonly kind: 'createApiKey'; readonly key: ProjectData<'ApiKeyCreated'> }
  | { readonly kind: 'deleteApiKey'; readonly keyId: string }
  | { readonly kind: 'confirmImport'; readonly confirmation: ProjectData<'ImportConfirmed'> };

const MAX_KEYS = 100;

export const projectDecider: Decider<Project | null, ProjectCommand, ProjectEvent> = {
  initial: () => null,
  evolve: evolveProject,
  decide,
};

function decide(c: ProjectCommand, state: Project | null): ProjectEvent[] {
  if (c.kind === 'create') {
    return state ? [] : [projectEvents.ProjectCreated.of(c.project)];
  }
  if (!state) throw new Rejection('missing', 'project-unknown', 'project not found');
  switch (c.kind) {
    case 'update':
      return updateProject(c.set, state);
    case 'delete':
      return deleteProject(state);
    case 'recordNotice':
      return state.apps.some((a) => a.appId === c.notice.data.appId) ? [c.notice] : [];
    case 'createApiKey':
      return createApiKey(c.key, state);
    case 'deleteApiKey': {
      const key = state.keys.find((k) => k.keyId === c.keyId);
      if (!key) throw new Rejection('missing', 'api-key-unknown', 'API key not found in this project');
      return [projectEvents.ApiKeyDeleted.of({ keyId: key.keyId, sha256: key.sha256 })];
    }
    case 'confirmImport':
      return [projectEvents.ImportConfirmed.of(c.confirmation)];
    case 'addAnnotation':
    case 'deleteAnnotation':
      return decideAnnotation(c, state);
    case 'watchFigure':
    case 'unwatchFigure':
    case 'recordFigureOutOfBand':
      return decideFigure(c, state);
    case 'inviteMember':
    case 'withdrawInvitation':
    case 'join':
    case 'changeRole':
    case 'removeMember':
      return decideMember(c, state);
    default:
      return decideApp(c, state);
  }
}

function updateProject(set: ProjectChanges, state: Project): ProjectEvent[] {
  const name = change(state.name, set.name);
  const transferBehavior = change(state.transferBehavior, set.transferBehavior);
  const sandboxAccess = change(state.sandboxAccess, set.sandboxAccess);
  const displayCurrency = change(state.displayCurrency, set.displayCurrency);
  const timezone = change(state.timezone, set.timezone);
  const changes = {
    ...(name && { name }),
    ...(transferBehavior && { transferBehavior }),
    ...(sandboxAccess && { sandboxAccess }),
    ...(displayCurrency && { displayCurrency }),
    ...(timezone && { timezone }),
  };
  return Object.keys(changes).length === 0 ? [] : [projectEvents.ProjectUpdated.of({ changes })];
}

/** Deletes the API keys in the same append, so that a key of a deleted project is not found. */
function deleteProject({ projectId, ownerId, keys }: Project): ProjectEvent[] {
  const deleted = keys.map(({ keyId, sha256 }) => projectEvents.ApiKeyDeleted.of({ keyId, sha256 }));
  return [...deleted, projectEvents.ProjectDeleted.of({ projectId, ownerId })];
}

function createApiKey(key: ProjectData<'ApiKeyCreated'>, state: Project): ProjectEvent[] {
  if (state.keys.some((k) => k.keyId === key.keyId)) return [];
  if (state.keys.length >= MAX_KEYS) {
    throw new Rejection(
      'conflict',
      'too-many-keys',
      `a project can have at most ${MAX_KEYS} API keys; delete one first`,
    );
  }
  if (state.keys.some((k) => k.sha256 === key.sha256))
    throw new Rejection(
      'conflict',
      'key-exists',
      'key: registered in this project already; delete it to register it again',
    );
  if (key.appId !== null && !state.apps.some((a) => a.appId === key.appId)) {
    throw new Rejection('invalid', 'app-unknown', 'appId is not an app of this project');
  }
  return [projectEvents.ApiKeyCreated.of(key)];
}

type AnnotationCommand =
  | { readonly kind: 'addAnnotation'; readonly annotation: ProjectData<'AnnotationAdded'> }
  | { readonly kind: 'deleteAnnotation'; readonly annotationId: string };

type FigureCommand =
  | { readonly kind: 'watchFigure' | 'unwatchFigure'; readonly chartId: string }
  | { readonly kind: 'recordFigureOutOfBand'; readonly figure: ProjectData<'FigureLeftBand'> };

/** A figure leaves its band once a day, and only while it is watched. */
function decideFigure(c: FigureCommand, { figures }: Project): ProjectEvent[] {
  const chartId = c.kind === 'recordFigureOutOfBand' ? c.figure.chartId : c.chartId;
  const { isWatched = false, lastDay = '' } = figures.find((one) => one.chartId === chartId) ?? {};
  switch (c.kind) {
    case 'watchFigure':
      return isWatched ? [] : [projectEvents.FigureWatchStarted.of({ chartId })];
    case 'unwatchFigure':
      return isWatched ? [projectEvents.FigureWatchStopped.of({ chartId })] : [];
    case 'recordFigureOutOfBand':
      return isWatched && c.figure.day > lastDay ? [projectEvents.FigureLeftBand.of(c.figure)] : [];
  }
}

const MAX_ANNOTATIONS = 1000;

function decideAnnotation(c: AnnotationCommand, { annotationIds }: Project): ProjectEvent[] {
  const id = c.kind === 'addAnnotation' ? c.annotation.annotationId : c.annotationId;
  const isThere = annotationIds.includes(id);
  if (c.kind === 'deleteAnnotation') {
    if (isThere) return [projectEvents.AnnotationDeleted.of({ annotationId: id })];
    throw new Rejection(
      'missing',
      'annotation-unknown',
      'annotation not found in this project; those of catalogue changes cannot be deleted',
    );
  }
  if (isThere) return [];
  if (annotationIds.length >= MAX_ANNOTATIONS) {
    throw new Rejection(
      'conflict',
      'too-many-annotations',
      `a project can have at most ${MAX_ANNOTATIONS} annotations; delete one first`,
    );
  }
  return [projectEvents.AnnotationAdded.of(c.annotation)];
}

// Demo projects in a running service: simulated customers whose past is played to its own HTTP interface in the background. Each simulated
// request has its own past time, so that everything is recorded when it happened. This process signs as the store: only it has the key.
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../../adapters/configuration/config.js';
import type { Engine } from '../../adapters/engine/engine.js';
import type { Runtime } from '../../adapters/runtime.js';
import { createIosSignedData } from '../../adapters/ios-store/signed-data.js';
import type { IosSignedData } from '../../adapters/ios-store/port.js';
import { Rejection } from '../../domain/errors.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { Rates } from '../../domain/rates/rates.js';
import { storeOfReport } from '../../domain/store-kinds.js';
import { chargesIn } from '../../projections/books/our-charges.js';
import type { DayRange } from '../../domain/books/report-values.js';
import type { StateCache } from '../../commands/handling/state-cache.js';
import type { Demo, DemoCaller, DemoOwner } from '../../http/demo/demo.js';
import type { Services } from '../../http/dispatch/services.js';
import type { CertificateAuthority } from '#simulator/ios-store/certificate-authority.js';
import type { SimulatedProject } from '#simulator/project.js';
import { listensOnLoopback } from '../listeners.js';
import type { RunningRoles } from '../roles.js';
import type { DemoPlan } from './plan.js';
import { createDemoProject } from './project.js';
import { openRequestTime, type RequestTime } from './request-time.js';

/** Parts of the service that the simulation uses. */
export type Stage = {
  readonly url: () => string;
  readonly services: () => Services;
  readonly roles: () => Pick<RunningRoles, 'idle' | 'waitForReactions' | 'passDeadlines'>;
};

export type RunningDemo = Demo & {
  /**
   * Creates a project as `begin` does, with the customers of the plan. `played` resolves when their past is in the read models, and rejects
   * if it cannot be played or the demo is stopped.
   */
  play(
    owner: DemoOwner,
    plan: DemoPlan,
  ): Promise<{ readonly project: SimulatedProject; readonly played: Promise<void> }>;
  /** Stops all simulations. */
  stop(): Promise<void>;
  /** Returns the simulated time of the current work; undefined for the system time. */
  now(): number | undefined;
  /** Handles an event of a demo project at its own time. */
  around(event: RecordedEvent, handle: () => Promise<void>): Promise<void>;
  /** Returns true while the past is played: deadlines are then processed in its order and not by the system clock. */
  isPlayingAny(): boolean;
  /** Converts amounts of the simulated past at simulated rates, which are not published: real projects must not use them. */
  simulateRates(real: StateCache<Rates>): StateCache<Rates>;
  /** Accepts data signed by the simulated store of this process for the apps of its demo projects, and no other data for them. */
  trustSimulated(real: IosSignedData): IosSignedData;
};

/** Returns whether demos can be played: in a single process with all roles, for local users. */
export function canPlayDemos({ HOST, ROLES }: Config, { isShared }: Pick<Engine, 'isShared'>): boolean {
  return listensOnLoopback({ HOST }) && !isShared && ROLES.length === 3;
}

const SECRET_HEADER = 'x-simulated-by';
/** Store whose financial reports the demo writes. */
const IOS_STORE = storeOfReport('finance_detail');

export function createDemo(runtime: Pick<Runtime, 'now' | 'sleep'>, logger: Logger, stage: Stage): RunningDemo {
  const stopping = new AbortController();
  const extra = { [SECRET_HEADER]: randomBytes(24).toString('base64url') };
  const store = createSimulatedStore(runtime);
  let time: RequestTime | null = null;
  let simulatedRates: Rates = {};
  let playing: { projectId: string; progress: number; done: Promise<void> } | null = null;

  const stageFor = async (asker: DemoCaller) => {
    const [{ sign }, parts] = await Promise.all([store.open(), import('./play.js')]);
    const context = {
      url: stage.url(),
      signal: stopping.signal,
      extra,
      asker,
      sign,
      signsFor: store.signsFor,
    };
    return { parts, context };
  };
  const end = (): void => {
    time?.close();
    time = null;
    simulatedRates = {};
    playing = null;
  };

  const play: RunningDemo['play'] = async (owner, plan) => {
    if (playing)
      throw new Rejection('conflict', 'demo-playing', 'a demo is already being created; wait until it is ready');
    // Set before the first wait: of two concurrent calls only one starts.
    const ownDemo = (playing = { projectId: '', progress: 0, done: Promise.resolve() });
    try {
      const { parts, context } = await stageFor(owner);
      const { during, ...requestTime } = openRequestTime((headers) => headers[SECRET_HEADER] === extra[SECRET_HEADER]);
      time = { during, ...requestTime };
      simulatedRates = plan.rates;
      const project = await createDemoProject(stage.services(), owner, {
        at: (work) => during(plan.from, work),
        fill: (projectId) => {
          ownDemo.projectId = projectId;
          return parts.setUpDemoProject(context, projectId, plan);
        },
      });
      const { idle, waitForReactions, passDeadlines } = stage.roles();
      const { readModels, runtime: real } = stage.services();
      const charges = async (days: DayRange) => [
        ...(await chargesIn({ readModels, slice: real.slice }, project.projectId, IOS_STORE, days)).values(),
      ];
      const pace = { idle, waitForReactions, passDeadlines, during, chargesIn: charges };
      const played = parts
        .playPast(context, project, plan, { ...pace, onProgress: (share) => (ownDemo.progress = share) })
        .finally(end);
      ownDemo.done = played.catch((err: unknown) => {
        if (stopping.signal.aborted) return;
        logger.warn({ projectId: project.projectId, err: String(err) }, 'demo playback failed');
      });
      return { project, played };
    } catch (err) {
      end();
      throw err;
    }
  };

  return {
    play,
    begin: async (owner) => {
      const { standardPlan } = await import('./plan.js');
      const { project } = await play(owner, standardPlan(runtime.now()));
      return project.projectId;
    },
    progressOf: (projectId) => (playing?.projectId === projectId ? playing.progress : null),
    isPlayingAny: () => playing !== null,
    purchase: async (asker, projectId) => {
      const { parts, context } = await stageFor(asker);
      return parts.purchaseIn(context, projectId, runtime.now());
    },
    stop: async () => {
      stopping.abort();
      await playing?.done;
    },
    now: () => time?.now(),
    around: (event, handle) =>
      time && event.meta.projectId === playing?.projectId
        ? time.during(Date.parse(event.meta.recordedAt), handle)
        : handle(),
    simulateRates: (real) => ({
      ...real,
      get: (stream) => (time?.now() === undefined ? real.get(stream) : Promise.resolve(simulatedRates)),
    }),
    trustSimulated: store.trustSimulated,
  };
}

/** Simulated store of this process: its key, and the apps for which it signs. */
function createSimulatedStore(runtime: Pick<Runtime, 'now' | 'sleep'>) {
  let authority: Promise<CertificateAuthority> | null = null;
  let trusted: IosSignedData | null = null;
  const appIds = new Set<string>();
  const verifierFor = (real: IosSignedData, appId: string | undefined): IosSignedData =>
    trusted !== null && appId !== undefined && appIds.has(appId) ? trusted : real;

  return {
    /** Creates the store on first use: certificates take a while. */
    open: async (): Promise<CertificateAuthority> => {
      authority ??= import('#simulator/ios-store/certificate-authority.js').then((m) => m.createCertificateAuthority());
      const opened = await authority;
      const roots = [Buffer.from(opened.rootPem)];
      trusted ??= createIosSignedData({ roots, onlineChecks: false, runtime });
      return opened;
    },
    signsFor: (appId: string): void => void appIds.add(appId),
    trustSimulated: (real: IosSignedData): IosSignedData => ({
      verifyNotification: (signed, appId) => verifierFor(real, appId).verifyNotification(signed),
      verifyTransaction: (signed, appId) => verifierFor(real, appId).verifyTransaction(signed),
      verifyRenewalInfo: (signed, appId) => verifierFor(real, appId).verifyRenewalInfo(signed),
      verifyAppTransaction: (signed, appId) => verifierFor(real, appId).verifyAppTransaction(signed),
      isSignedAppReceipt: (receipt, createdAt) => real.isSignedAppReceipt(receipt, createdAt),
    }),
  };
}

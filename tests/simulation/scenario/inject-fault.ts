// Injects a fault, and ends it after its duration.
import type { ProjectionDefects } from '../engine/projection-defects.js';
import type { Receivers } from '../engine/receivers.js';
import type { Timeline } from '../engine/timeline.js';
import type { FaultInjector } from '../engine/fault-injector.js';
import type { ProcessSupervisor } from './process-supervisor.js';
import type { Fault } from './faults.js';

type FaultTargets = {
  readonly timeline: Timeline;
  readonly faults: FaultInjector;
  readonly receivers: Receivers;
  readonly supervisor: ProcessSupervisor;
  readonly defects: ProjectionDefects;
};

export function injectFault(fault: Fault, { timeline, faults, receivers, supervisor, defects }: FaultTargets): void {
  const endWith = (work: () => void) => timeline.schedule(fault.forMs, work);
  switch (fault.kind) {
    case 'crash':
      return supervisor.crash(fault.process, fault.forMs);
    case 'pause': {
      const host = supervisor.host(fault.process);
      host.pausedUntil = Math.max(host.pausedUntil, timeline.elapsed() + fault.forMs);
      return;
    }
    case 'clock-skew': {
      supervisor.host(fault.process).skewMs = fault.byMs;
      return endWith(() => (supervisor.host(fault.process).skewMs = 0));
    }
    case 'partition': {
      const place = `${supervisor.host(fault.process).name}|${fault.server}`;
      faults.partitions.add(place);
      return endWith(() => faults.partitions.delete(place));
    }
    case 'failure':
      faults.failureShares.set(fault.server, fault.share);
      return endWith(() => faults.failureShares.delete(fault.server));
    case 'latency':
      faults.addedLatencies.set(fault.server, fault.byMs);
      return endWith(() => faults.addedLatencies.delete(fault.server));
    case 'disk-full':
      faults.fullDisks.add(fault.server);
      return endWith(() => faults.fullDisks.delete(fault.server));
    case 'receiver':
      receivers.behaviours.set(fault.url, fault.manner);
      return endWith(() => receivers.behaviours.delete(fault.url));
    case 'projection-defect':
      defects.introduce(fault.readModel);
      return endWith(() => deployRepair(defects, supervisor));
  }
}

/** Deploys the repaired code: all processes restart. */
export function deployRepair(defects: ProjectionDefects, supervisor: ProcessSupervisor): void {
  if (!defects.isAny()) return;
  defects.repair();
  supervisor.restart();
}

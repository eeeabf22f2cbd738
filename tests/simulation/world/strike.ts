// Injects a fault, and ends it after its duration.
import type { Defects } from '../engine/defects.js';
import type { Receivers } from '../engine/receivers.js';
import type { Timeline } from '../engine/timeline.js';
import type { Weather } from '../engine/weather.js';
import type { Crew } from './crew.js';
import type { Fault } from './faults.js';

type Stricken = {
  readonly timeline: Timeline;
  readonly weather: Weather;
  readonly receivers: Receivers;
  readonly crew: Crew;
  readonly defects: Defects;
};

export function strike(fault: Fault, { timeline, weather, receivers, crew, defects }: Stricken): void {
  const undo = (work: () => void) => timeline.after(fault.forMs, work);
  switch (fault.kind) {
    case 'crash':
      return crew.crash(fault.process, fault.forMs);
    case 'pause': {
      const host = crew.host(fault.process);
      host.pausedUntil = Math.max(host.pausedUntil, timeline.elapsed() + fault.forMs);
      return;
    }
    case 'clock-skew': {
      crew.host(fault.process).skewMs = fault.byMs;
      return undo(() => (crew.host(fault.process).skewMs = 0));
    }
    case 'partition': {
      const place = `${crew.host(fault.process).name}|${fault.server}`;
      weather.cut.add(place);
      return undo(() => weather.cut.delete(place));
    }
    case 'failure':
      weather.failing.set(fault.server, fault.share);
      return undo(() => weather.failing.delete(fault.server));
    case 'latency':
      weather.slow.set(fault.server, fault.byMs);
      return undo(() => weather.slow.delete(fault.server));
    case 'disk-full':
      weather.full.add(fault.server);
      return undo(() => weather.full.delete(fault.server));
    case 'receiver':
      receivers.manners.set(fault.url, fault.manner);
      return undo(() => receivers.manners.delete(fault.url));
    case 'projection-defect':
      defects.begin(fault.readModel);
      return undo(() => repair(defects, crew));
  }
}

/** Deploys the repaired code: all processes restart. */
export function repair(defects: Defects, crew: Crew): void {
  if (!defects.isAny()) return;
  defects.mend();
  crew.restart();
}

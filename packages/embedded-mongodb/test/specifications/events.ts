import { setTimeout as sleep } from 'node:timers/promises';
import { asSpecified } from './deviations.js';
import { type Entities, type Observed } from './entities.js';
import { type Fields, list, Mismatch, only, RunnerError, soleField, text } from './format.js';
import { match } from './matching.js';

const ids = ['hasServiceId', 'hasServerConnectionId'];
const changed = ['previousDescription', 'newDescription'];
/** The events that the runner knows, by their kind, and the fields that a test may compare. */
const kinds: Readonly<Record<string, Readonly<Record<string, readonly string[] | undefined>>>> = {
  command: {
    commandStartedEvent: ['command', 'commandName', 'databaseName', ...ids],
    commandSucceededEvent: ['reply', 'commandName', 'databaseName', ...ids],
    commandFailedEvent: ['commandName', 'databaseName', ...ids],
  },
  cmap: {
    poolCreatedEvent: [],
    poolReadyEvent: [],
    poolClearedEvent: ['hasServiceId', 'interruptInUseConnections'],
    poolClosedEvent: [],
    connectionCreatedEvent: [],
    connectionReadyEvent: [],
    connectionClosedEvent: ['reason'],
    connectionCheckOutStartedEvent: [],
    connectionCheckOutFailedEvent: ['reason'],
    connectionCheckedOutEvent: [],
    connectionCheckedInEvent: [],
  },
  sdam: {
    serverDescriptionChangedEvent: changed,
    topologyDescriptionChangedEvent: changed,
    topologyOpeningEvent: [],
    topologyClosedEvent: [],
    serverOpeningEvent: [],
    serverClosedEvent: [],
  },
};

function fieldsOfEvent(name: string): readonly string[] {
  const found = Object.values(kinds).find((kind) => name in kind)?.[name];
  if (!found) throw new RunnerError(`the runner does not know the event ${name}`);
  return found;
}

function matchEvent(expected: Fields, actual: Observed | undefined, { lookup }: Entities, at: string): void {
  const [name, fields] = soleField(expected);
  only(fields, fieldsOfEvent(name), `what is said of ${name}`);
  if (actual?.name !== name) throw new Mismatch(`${at}: expected ${name}, got ${String(actual?.name)}`);
  const { serviceId, serverConnectionId } = actual.event;
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'hasServiceId') match(value, serviceId !== undefined && serviceId !== null, lookup);
    else if (field === 'hasServerConnectionId') match(value, Number(serverConnectionId) > 0, lookup);
    else {
      const seen = field === 'command' ? asSpecified(actual.event[field], value) : actual.event[field];
      match(value, seen, lookup, true, `${at} ${name}.${field}`);
    }
  }
}

/** Waits until a client has seen an event so many times, at most ten seconds. */
export async function waitForEvent(given: Fields, entities: Entities): Promise<void> {
  only(given, ['client', 'event', 'count'], 'the arguments of waitForEvent');
  const { events } = entities.client(text(given['client']));
  const [event] = list([given['event']]);
  const matches = (one: Observed): boolean => {
    try {
      matchEvent(event ?? {}, one, entities, 'event');
      return true;
    } catch (error) {
      if (error instanceof Mismatch) return false;
      throw error;
    }
  };
  const until = Date.now() + 10_000;
  while (events.filter(matches).length < Number(given['count'])) {
    if (Date.now() > until) throw new Mismatch(`${text(event)} did not come ${text(given['count'])} times`);
    await sleep(25);
  }
}

const shown = ({ name, event }: Observed): string => `${name} ${text(event['commandName'] ?? '')}`;

/** Compares what a client has seen with an entry of `expectEvents`. */
export function checkEvents(expected: Fields, entities: Entities): void {
  only(expected, ['client', 'eventType', 'events', 'ignoreExtraEvents'], 'the expectation of events');
  const kind = kinds[text(expected['eventType'] ?? 'command')];
  if (!kind) throw new RunnerError(`the runner does not know the kind of events ${text(expected['eventType'])}`);
  const wanted = list(expected['events']);
  const ofKind = entities.client(text(expected['client'])).events.filter(({ name }) => name in kind);
  const seen = expected['ignoreExtraEvents'] === true ? ofKind.slice(0, wanted.length) : ofKind;
  if (seen.length !== wanted.length)
    throw new Mismatch(`expected ${wanted.length} events, got ${seen.length}: ${seen.map(shown).join(', ')}`);
  for (const [index, one] of wanted.entries()) matchEvent(one, seen[index], entities, `event ${index}`);
}

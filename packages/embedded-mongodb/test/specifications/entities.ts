import { EJSON } from 'bson';
import {
  type ClientSession,
  type ClusterTime,
  type Collection,
  type Db,
  GridFSBucket,
  MongoClient,
  ReadPreference,
} from 'mongodb';
import { type Fields, fieldsOf, isFields, only, RunnerError, soleField, text } from './format.js';

/** The observed events of a client: command events and connection pool events, in their order. */
export interface Observed {
  readonly name: string;
  readonly event: Fields;
}

/** One client of a test and its events. */
export interface ClientEntity {
  readonly client: MongoClient;
  readonly events: Observed[];
  /** All commands that were started, also those that the test doesn't observe. */
  readonly started: Fields[];
  checkedOut: number;
}

const commandEvents: Readonly<Record<string, string>> = {
  commandStartedEvent: 'commandStarted',
  commandSucceededEvent: 'commandSucceeded',
  commandFailedEvent: 'commandFailed',
};
const poolEvents: Readonly<Record<string, string>> = {
  poolCreatedEvent: 'connectionPoolCreated',
  poolReadyEvent: 'connectionPoolReady',
  poolClearedEvent: 'connectionPoolCleared',
  poolClosedEvent: 'connectionPoolClosed',
  connectionCreatedEvent: 'connectionCreated',
  connectionReadyEvent: 'connectionReady',
  connectionClosedEvent: 'connectionClosed',
  connectionCheckOutStartedEvent: 'connectionCheckOutStarted',
  connectionCheckOutFailedEvent: 'connectionCheckOutFailed',
  connectionCheckedOutEvent: 'connectionCheckedOut',
  connectionCheckedInEvent: 'connectionCheckedIn',
  serverDescriptionChangedEvent: 'serverDescriptionChanged',
  topologyDescriptionChangedEvent: 'topologyDescriptionChanged',
  topologyOpeningEvent: 'topologyOpening',
  topologyClosedEvent: 'topologyClosed',
  serverOpeningEvent: 'serverOpening',
  serverClosedEvent: 'serverClosed',
};
const concerns = ['readConcern', 'writeConcern', 'readPreference', 'timeoutMS'];
/** The properties of each kind of entity. `useMultipleMongoses` is of sharded clusters only. */
const entityFields: Readonly<Record<string, readonly string[] | undefined>> = {
  client: [
    'id',
    'uriOptions',
    'useMultipleMongoses',
    'observeEvents',
    'ignoreCommandMonitoringEvents',
    'observeSensitiveCommands',
    'serverApi',
  ],
  database: ['id', 'client', 'databaseName', 'databaseOptions'],
  collection: ['id', 'database', 'collectionName', 'collectionOptions'],
  session: ['id', 'client', 'sessionOptions'],
  bucket: ['id', 'database', 'bucketOptions'],
};
const optionFields: Readonly<Record<string, readonly string[]>> = {
  databaseOptions: concerns,
  collectionOptions: concerns,
  sessionOptions: ['causalConsistency', 'defaultTransactionOptions', 'snapshot', 'snapshotTime', 'defaultTimeoutMS'],
  defaultTransactionOptions: ['readConcern', 'writeConcern', 'readPreference', 'maxCommitTimeMS'],
  bucketOptions: ['bucketName', 'chunkSizeBytes', 'readConcern', 'writeConcern', 'readPreference'],
};
/** Commands that hold secrets (specification: command logging and monitoring); the driver reports them without their content. */
const sensitive = [
  'authenticate',
  'saslStart',
  'saslContinue',
  'getnonce',
  'createUser',
  'updateUser',
  'copydbgetnonce',
  'copydbsaslstart',
  'copydb',
];
/** A handshake is one of them when the driver has left out its content. */
const isSensitive = (event: Fields): boolean =>
  sensitive.includes(text(event['commandName'])) ||
  (['hello', 'ismaster', 'isMaster'].includes(text(event['commandName'])) &&
    [event['command'], event['reply']].some((published) => isFields(published) && Object.keys(published).length === 0));

// The driver still changes the documents of its events (it adds times to concerns that it shares).
function copyOf(event: object): Fields {
  const fields = Object.fromEntries(Object.entries(event));
  const plain = (name: string): Fields =>
    fields[name] ? { [name]: EJSON.parse(EJSON.stringify(fields[name], { relaxed: false }), { relaxed: true }) } : {};
  return { commandName: (event as Fields)['commandName'], ...fields, ...plain('command'), ...plain('reply') };
}

/** The options of a test file with the driver's names. */
export function optionsOf(source: unknown): Fields {
  const { readPreference, ...rest } = fieldsOf(source);
  if (readPreference === undefined) return rest;
  if (typeof readPreference === 'string') return { ...rest, readPreference }; // as an option of a connection string
  const { mode, tagSets, ...options } = fieldsOf(readPreference);
  only(options, ['maxStalenessSeconds', 'hedge'], 'the read preference');
  return { ...rest, readPreference: new ReadPreference(mode as never, tagSets as never, options) };
}

/** The things that a test works with, by their ids. */
export class Entities {
  readonly clients = new Map<string, ClientEntity>();
  readonly databases = new Map<string, Db>();
  readonly collections = new Map<string, Collection>();
  readonly sessions = new Map<string, ClientSession>();
  readonly buckets = new Map<string, GridFSBucket>();
  private readonly connecting: Promise<unknown>[] = [];
  readonly others = new Map<string, unknown>();

  /** @param clusterTime the newest cluster time that the runner's own client knows */
  constructor(
    private readonly uri: string,
    private readonly clusterTime: () => ClusterTime | undefined,
  ) {}

  /** Creates one entity, as `createEntities` describes it. */
  create(description: Fields): void {
    const [kind, spec] = soleField(description);
    const known = entityFields[kind];
    if (!known) throw new RunnerError(`the runner does not know the entity ${kind}`);
    only(spec, known, `what is said of the ${kind}`);
    for (const [name, options] of Object.entries(spec))
      if (name in optionFields) only(fieldsOf(options), optionFields[name] ?? [], name);
    const id = String(spec['id']);
    const client = (): MongoClient => this.client(String(spec['client'])).client;
    const database = (): Db => this.databases.get(String(spec['database'])) ?? missing(String(spec['database']));
    if (kind === 'client') this.clients.set(id, this.connect(spec));
    else if (kind === 'database')
      this.databases.set(id, client().db(String(spec['databaseName']), optionsOf(spec['databaseOptions'])));
    else if (kind === 'collection')
      this.collections.set(
        id,
        database().collection(String(spec['collectionName']), optionsOf(spec['collectionOptions'])),
      );
    else if (kind === 'bucket') this.buckets.set(id, new GridFSBucket(database(), optionsOf(spec['bucketOptions'])));
    else this.sessions.set(id, this.startSession(client(), spec));
  }

  private startSession(client: MongoClient, spec: Fields): ClientSession {
    const options = optionsOf(spec['sessionOptions']);
    if ('defaultTransactionOptions' in options) {
      only(
        fieldsOf(options['defaultTransactionOptions']),
        optionFields['defaultTransactionOptions'] ?? [],
        'defaultTransactionOptions',
      );
      options['defaultTransactionOptions'] = optionsOf(options['defaultTransactionOptions']);
    }
    const { snapshotTime, ...known } = options;
    const session = client.startSession(known);
    // This driver's release has the session's snapshot time, but not yet the option for it.
    if (snapshotTime !== undefined) Object.assign(session, { snapshotTime: this.lookup(text(snapshotTime)) });
    this.others.set(`lsid:${String(spec['id'])}`, session.id);
    // So that a session of the test sees what the runner has prepared with its own client, as the format demands.
    const time = this.clusterTime();
    if (!time) throw new RunnerError('no reply of the server had a cluster time');
    session.advanceClusterTime(time);
    return session;
  }

  private connect(spec: Fields): ClientEntity {
    const observed = names(spec['observeEvents']);
    const unknown = observed.filter((name) => !(name in commandEvents || name in poolEvents));
    if (unknown.length > 0) throw new RunnerError(`the runner does not know the events ${unknown.join(', ')}`);
    const ignored = ['configureFailPoint', ...names(spec['ignoreCommandMonitoringEvents'])];
    const hides = (event: Fields): boolean => spec['observeSensitiveCommands'] !== true && isSensitive(event);
    const options = {
      ...optionsOf(spec['uriOptions']),
      monitorCommands: true,
      heartbeatFrequencyMS: 500,
      minHeartbeatFrequencyMS: 50,
      serverSelectionTimeoutMS: 10_000,
      ...(spec['serverApi'] ? { serverApi: spec['serverApi'] } : {}),
    };
    const client = new MongoClient(this.uri, options as never);
    const entity: ClientEntity = { client, events: [], started: [], checkedOut: 0 };
    for (const [name, own] of Object.entries(commandEvents)) {
      client.on(own as 'commandStarted', (event) => {
        const published = copyOf(event);
        if (ignored.includes(String(published['commandName'])) || hides(published)) return;
        if (name === 'commandStartedEvent') entity.started.push(published);
        if (observed.includes(name)) entity.events.push({ name, event: published });
      });
    }
    for (const [name, own] of Object.entries(poolEvents)) {
      client.on(own as 'connectionReady', (event) => {
        if (name === 'connectionCheckedOutEvent') entity.checkedOut++;
        if (name === 'connectionCheckedInEvent') entity.checkedOut--;
        if (observed.includes(name)) entity.events.push({ name, event: copyOf(event) });
      });
    }
    // Tests of the topology's events want them before the first operation.
    if (observed.includes('topologyDescriptionChangedEvent')) this.connecting.push(client.connect());
    return entity;
  }

  client(id: string): ClientEntity {
    return this.clients.get(id) ?? missing(id);
  }

  session(id: unknown): ClientSession {
    return this.sessions.get(String(id)) ?? missing(String(id));
  }

  /** The value for `$$matchesEntity`; the `lsid` of a session is `lsid:` and its name. */
  readonly lookup = (id: string): unknown => (this.others.has(id) ? this.others.get(id) : missing(id));

  /** Keeps the result of an operation under a name; throws when the name is taken. */
  save(id: string, result: unknown): void {
    if (this.others.has(id)) throw new RunnerError(`there is an entity ${id} already`);
    this.others.set(id, result);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.connecting);
    for (const session of this.sessions.values()) await session.endSession().catch(() => undefined);
    for (const { client } of this.clients.values()) await client.close(true);
  }
}

const names = (value: unknown): string[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map(text);
  throw new RunnerError(`not a list of names: ${text(value)}`);
};

function missing(id: string): never {
  throw new RunnerError(`no entity ${id}`);
}

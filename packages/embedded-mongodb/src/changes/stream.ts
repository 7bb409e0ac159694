import { Timestamp } from 'bson';
import { fail } from '../errors.js';
import { compilePipeline } from '../query/pipeline.js';
import { type PipelineContext, type Stage } from '../query/terms.js';
import { decode } from '../values/bson.js';
import { same } from '../values/compare.js';
import { type Doc, doc, isDoc, type Maybe, shown, type Value } from '../values/types.js';
import { type Change, type Feed, type Position } from './feed.js';

/** What a stream watches: a collection, a database (`collection` is missing) or, with neither, everything. */
export interface Watched {
  readonly database?: string | undefined;
  readonly collection?: string | undefined;
}

/** What a stream works with. */
export interface Surroundings {
  readonly feed: Feed;
  readonly context: PipelineContext;
  /** The document as it is now, for `fullDocument: 'updateLookup'`. */
  readonly find: (namespace: string, documentKey: Doc) => Doc | undefined;
}

const known = [
  'fullDocument',
  'fullDocumentBeforeChange',
  'resumeAfter',
  'startAfter',
  'startAtOperationTime',
  'allChangesForCluster',
  'showExpandedEvents',
];
const stages = ['$match', '$project', '$addFields', '$set', '$unset', '$replaceRoot', '$replaceWith'];
const internal = ['admin', 'config', 'local'];
const sliceSize = 200;

function word(spec: Doc, name: string, words: readonly string[]): string {
  const value = spec.get(name) ?? words[0] ?? '';
  return typeof value === 'string' && words.includes(value)
    ? value
    : fail(9, `Enumeration value '${shown(value)}' for field '$changeStream.${name}' is not a valid value.`);
}

function compileStages(rest: readonly Value[], context: PipelineContext): Stage {
  for (const stage of rest) {
    const [name = ''] = isDoc(stage) ? stage.keys() : [];
    if (name === '$changeStream') fail(40602, '$changeStream is only valid as the first stage in a pipeline');
    if (name.startsWith('$') && !stages.includes(name))
      fail(20, `${name} is not permitted in a $changeStream pipeline`);
  }
  return compilePipeline([...rest], context);
}

/**
 * A change stream (manual: changeStreams, reference/operator/aggregation/changeStream): the events of what it watches, in the
 * order in which they were committed. It never ends but by an `invalidate` event. Errors: 286 when it fell too far behind,
 * 280 when a stage changes an event's `_id`, 47 when an image is required, as none are kept.
 */
export class ChangeStream implements Iterator<Doc | undefined> {
  private place: Position;
  private readonly notBefore: bigint;
  private readonly fullDocument: string;
  private readonly beforeChange: string;
  private readonly run: Stage;
  private invalidating: Change | undefined;
  private ended = false;
  private closed = false;

  constructor(
    spec: Value,
    rest: readonly Value[],
    private readonly watched: Watched,
    private readonly surroundings: Surroundings,
  ) {
    if (!isDoc(spec)) fail(50808, '$changeStream stage expects a document as argument');
    for (const name of spec.keys())
      if (!known.includes(name)) fail(40415, `BSON field '$changeStream.${name}' is an unknown field.`);
    if (spec.get('showExpandedEvents') === true) fail(238, 'showExpandedEvents is not supported by the embedded store');
    this.fullDocument = word(spec, 'fullDocument', ['default', 'updateLookup', 'whenAvailable', 'required']);
    this.beforeChange = word(spec, 'fullDocumentBeforeChange', ['off', 'whenAvailable', 'required']);
    this.run = compileStages(rest, surroundings.context);
    const at = spec.get('startAtOperationTime');
    this.notBefore = at instanceof Timestamp ? at.toBigInt() : 0n;
    const { feed } = surroundings;
    feed.open();
    try {
      this.place = this.start(spec, at);
    } catch (error) {
      feed.close();
      throw error;
    }
  }

  private start(spec: Doc, at: Maybe): Position {
    const { feed } = this.surroundings;
    const [after, token] = [spec.get('resumeAfter'), spec.get('startAfter')];
    const given = [after, token, at].filter((value) => value !== undefined);
    if (given.length > 1)
      fail(
        50865,
        "Only one type of resume option is allowed, but multiple of 'resumeAfter', 'startAfter', ... were found.",
      );
    if (at !== undefined)
      return at instanceof Timestamp
        ? feed.at(at)
        : fail(14, "BSON field '$changeStream.startAtOperationTime' is the wrong type, expected type 'timestamp'");
    const resumed = after ?? token;
    if (resumed === undefined) return feed.end;
    const place = feed.position(isDoc(resumed) ? resumed : fail(14, 'a resume token must be a document'));
    if (!place.invalidated) {
      const last = place.number > 0 ? feed.recent(place.number) : undefined;
      if (last && this.isEndedBy(last)) this.invalidating = last;
    } else if (after !== undefined)
      fail(
        260,
        "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification.",
      );
    return place;
  }

  /** The token with which the stream can be resumed behind all that it has given or passed over. */
  get token(): Doc {
    return this.surroundings.feed.token(this.place);
  }

  /** Whether nothing more is there to be read just now. */
  get isDry(): boolean {
    return !this.ended && !this.invalidating && this.place.number === this.surroundings.feed.end.number;
  }

  next(): IteratorResult<Doc | undefined> {
    for (let looked = 0; looked < sliceSize; looked++) {
      if (this.ended) return { done: true, value: undefined };
      const event = this.read();
      const shaped = event && this.shaped(event);
      if (shaped) return { done: false, value: shaped };
      if (this.isDry) break;
    }
    return { done: false, value: undefined };
  }

  return(): IteratorResult<Doc | undefined> {
    if (!this.closed) this.surroundings.feed.close();
    this.closed = this.ended = true;
    return { done: true, value: undefined };
  }

  private read(): Doc | undefined {
    if (this.invalidating) return this.invalidation(this.invalidating);
    const { feed } = this.surroundings;
    const change = feed.change(this.place.number + 1);
    if (!change) return undefined;
    this.place = { number: change.number, invalidated: false };
    if (!this.sees(change) || change.at.toBigInt() < this.notBefore) return undefined;
    if (this.isEndedBy(change)) this.invalidating = change;
    return this.event(change);
  }

  private sees({ database, collection }: Change): boolean {
    const { watched } = this;
    if (watched.database === undefined) return !internal.includes(database);
    return (
      watched.database === database &&
      (watched.collection === undefined ? !collection.startsWith('system.') : watched.collection === collection)
    );
  }

  private isEndedBy(change: Change): boolean {
    const { database, collection } = this.watched;
    return (
      this.sees(change) &&
      ((change.kind === 'drop' && collection !== undefined) ||
        (change.kind === 'dropDatabase' && database !== undefined && collection === undefined))
    );
  }

  private invalidation({ at, number }: Change): Doc {
    this.ended = true;
    this.place = { number, invalidated: true };
    return doc({ _id: this.token, operationType: 'invalidate', clusterTime: at, wallTime: new Date() });
  }

  private event(change: Change): Doc {
    const said = decode(change.body);
    const key = said.get('documentKey');
    const image = this.imageFor(change, key);
    const ns = doc({ db: change.database, coll: change.collection === '' ? undefined : change.collection });
    return doc({
      _id: this.token,
      operationType: change.kind,
      clusterTime: change.at,
      wallTime: said.get('wallTime'),
      lsid: change.transaction?.get('lsid'),
      txnNumber: change.transaction?.get('txnNumber'),
      fullDocument: said.get('fullDocument') ?? image,
      fullDocumentBeforeChange: this.imageBefore(change),
      ns,
      documentKey: key,
      updateDescription: said.get('updateDescription'),
    });
  }

  private imageFor({ kind, database, collection }: Change, key: Maybe): Maybe {
    if (kind !== 'update' || this.fullDocument === 'default' || !isDoc(key)) return undefined;
    if (this.fullDocument === 'required') fail(47, 'a post-image was required for an update event, but none is kept');
    if (this.fullDocument === 'whenAvailable') return null;
    return this.surroundings.find(`${database}.${collection}`, key) ?? null;
  }

  private imageBefore({ kind }: Change): Maybe {
    if (this.beforeChange === 'off' || !['update', 'replace', 'delete'].includes(kind)) return undefined;
    return this.beforeChange === 'required' ? fail(47, 'a pre-image was required, but none is kept') : null;
  }

  /** The event as the further stages leave it; `undefined` when they leave none. */
  private shaped(event: Doc): Doc | undefined {
    const [result] = [...this.run([event])];
    if (result && !same(result.get('_id'), event.get('_id')))
      fail(
        280,
        `Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. Modifying the _id field of an event makes it impossible to resume the stream from that point. Expected: ${shown(event.get('_id'))} but found: ${shown(result.get('_id'))}`,
      );
    return result;
  }
}

import { type Collection, type Document, MongoServerError } from 'mongodb';

// The differences from the second server and the faults that the differential test (test/differential) has found. A page of
// MongoDB's manual or a file of its source defines the right result of each. `other` is the wrong result of the second server.

/** A document of a case. */
export type Row = Document & { _id: number };
/** An operation, its result, and the page or file that defines it. */
export interface Case {
  readonly title: string;
  readonly given: Row[];
  readonly on: (c: Collection<Row>) => Promise<unknown>;
  readonly is: unknown;
  readonly by: string;
  readonly other?: string;
}

/** The server's source. */
export const source = 'mongodb/mongo src/mongo/db/';
/** The document that most cases are about. */
export const one = { _id: 1 };
/** The code of the error with which a promise rejects. */
export const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof MongoServerError ? error.code : error),
  );
/** The number of documents that an update counts as modified, and the document after it. */
export const update =
  (change: Document | Document[], arrayFilters?: Document[]) =>
  async (c: Collection<Row>): Promise<unknown> => {
    const { modifiedCount } = await c.updateOne(one, change, arrayFilters ? { arrayFilters } : {});
    return [modifiedCount, await c.findOne(one)];
  };
/** The code with which an update is rejected. */
export const refused = (change: Document, arrayFilters?: Document[]) => (c: Collection<Row>) =>
  code(c.updateOne(one, change, arrayFilters ? { arrayFilters } : {}));
/** The number of documents that a replacement counts as modified. */
export const replace = (replacement: Document) => async (c: Collection<Row>) =>
  (await c.replaceOne(one, replacement)).modifiedCount;
/** The `_id`s of the documents that a filter matches, in order. */
export const ids = (filter: Document) => async (c: Collection<Row>) =>
  (await c.find(filter).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
/** The result of an aggregation. A `$lookup` joins the same collection. */
export const stages =
  (...pipeline: Document[]) =>
  (c: Collection<Row>): Promise<unknown> =>
    c
      .aggregate(
        pipeline.map((stage) =>
          stage['$lookup'] ? { $lookup: { from: c.collectionName, ...(stage['$lookup'] as object) } } : stage,
        ),
      )
      .toArray();

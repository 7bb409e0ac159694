import { type mongo } from 'mongoose';

/** Whether a server that responded to `hello` has transactions: a member of a replica set, or a router (mongos) of a sharded cluster. */
export function isReplicaSet(hello: mongo.BSON.Document): boolean {
  return hello['setName'] !== undefined || hello['msg'] === 'isdbgrid';
}

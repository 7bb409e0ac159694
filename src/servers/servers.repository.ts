import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { type Transaction } from '../database/transactions.js';
import { type GameServerRecord, SERVER_MODEL } from './server.schema.js';
import { type GameServer, type Heartbeat } from './server.types.js';

const FIELDS = { shopId: 1, name: 1, game: 1, address: 1, isHidden: 1, heartbeat: 1, createdAt: 1 } as const;

function toServer(record: Omit<GameServerRecord, 'createdBy'>): GameServer {
  const { _id, shopId, name, game, address, isHidden, heartbeat, createdAt } = record;
  return { id: _id.toHexString(), shopId: shopId.toHexString(), name, game, address, isHidden, heartbeat, createdAt };
}

@Injectable()
export class ServersRepository {
  constructor(@InjectModel(SERVER_MODEL) private readonly servers: Model<GameServerRecord>) {}

  async insert(
    shopId: string,
    server: {
      name: string;
      game: string;
      address: string | null;
      isHidden: boolean;
      createdAt: Date;
      createdBy: string;
    },
    transaction: Transaction,
  ): Promise<GameServer> {
    const record = new this.servers({ ...server, shopId: new Types.ObjectId(shopId) });
    return toServer(await record.save({ session: transaction }));
  }

  /** The one read of the public status. Public: the id alone names the server, whatever shop it belongs to. */
  async findPublic(serverId: string): Promise<GameServer | null> {
    const record = await this.servers.findById(serverId, FIELDS).lean();
    return record && toServer(record);
  }

  /** @param only the servers to choose from; null: all of the shop */
  async list(
    shopId: string,
    only: ReadonlySet<string> | null,
    after: string | null,
    limit: number,
  ): Promise<GameServer[]> {
    const ids = {
      ...(only === null ? {} : { $in: [...only].map((id) => new Types.ObjectId(id)) }),
      ...(after === null ? {} : { $lt: new Types.ObjectId(after) }),
    };
    const records = await this.servers
      .find({ shopId, ...(Object.keys(ids).length === 0 ? {} : { _id: trusted(ids) }) }, FIELDS)
      .sort({ _id: -1 })
      .limit(limit)
      .lean();
    return records.map(toServer);
  }

  async count(shopId: string, serverIds: readonly string[]): Promise<number> {
    const ids = serverIds.map((id) => new Types.ObjectId(id));
    return this.servers.countDocuments({ shopId, _id: trusted({ $in: ids }) });
  }

  /** Stores a heartbeat; of two at once the later one stays. Returns whether the server exists. */
  async beat(shopId: string, serverId: string, heartbeat: Heartbeat): Promise<boolean> {
    const { matchedCount } = await this.servers.updateOne({ _id: serverId, shopId }, { $set: { heartbeat } });
    return matchedCount === 1;
  }
}

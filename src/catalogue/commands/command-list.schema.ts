import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type CommandList } from './command-list.types.js';

export const COMMAND_LIST_MODEL = 'CommandList';

export type CommandListRecord = Stored<CommandList, 'shopId'>;

// No index of its own: lists are read by their ids.
export const commandListSchema = new Schema<CommandListRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    commands: { type: [String], required: true },
    extendCommands: { type: [String], required: true },
    upgradeCommands: { type: [String], required: true },
    takeBackCommands: { type: [String], required: true },
    expiryCommands: { type: [String], required: true },
  } satisfies SchemaFields<CommandListRecord>,
  { versionKey: false, collection: 'command_lists' },
);

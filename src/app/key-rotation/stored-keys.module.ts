import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { RUNNING_PROCESS_MODEL, runningProcessSchema } from './running-process.schema.js';
import { RunningProcessesRepository } from './running-processes.repository.js';
import { STORED_KEYS_MODEL, storedKeysSchema } from './stored-keys.schema.js';
import { StoredKeysRepository } from './stored-keys.repository.js';
import { StoredKeysService } from './stored-keys.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: STORED_KEYS_MODEL, schema: storedKeysSchema },
      { name: RUNNING_PROCESS_MODEL, schema: runningProcessSchema },
    ]),
  ],
  providers: [RunningProcessesRepository, StoredKeysRepository, StoredKeysService],
  exports: [StoredKeysService],
})
export class StoredKeysModule {}

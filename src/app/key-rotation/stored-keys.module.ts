import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { STORED_KEYS_MODEL, storedKeysSchema } from './stored-keys.schema.js';
import { StoredKeysRepository } from './stored-keys.repository.js';
import { StoredKeysService } from './stored-keys.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: STORED_KEYS_MODEL, schema: storedKeysSchema }])],
  providers: [StoredKeysRepository, StoredKeysService],
  exports: [StoredKeysService],
})
export class StoredKeysModule {}

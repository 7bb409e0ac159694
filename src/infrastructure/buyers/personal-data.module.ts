import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BuyerPseudonyms } from './buyer-pseudonyms.service.js';
import { ERASURE_KEY_MODEL, erasureKeySchema } from './erasure-key.schema.js';
import { ErasureKeysRepository } from './erasure-keys.repository.js';
import { PersonalDataRegistry } from './personal-data.js';

@Global()
@Module({
  imports: [MongooseModule.forFeature([{ name: ERASURE_KEY_MODEL, schema: erasureKeySchema }])],
  providers: [ErasureKeysRepository, BuyerPseudonyms, PersonalDataRegistry],
  exports: [BuyerPseudonyms, PersonalDataRegistry],
})
export class PersonalDataModule {}

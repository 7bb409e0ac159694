import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SealedRecordsRegistry } from '../../infrastructure/database/sealed-records.js';
import { UsersModule } from '../users/users.module.js';
import { SecondFactorCodesService } from './second-factor-codes.service.js';
import { SecondFactorController } from './second-factor.controller.js';
import { SECOND_FACTOR_MODEL, secondFactorSchema } from './second-factor.schema.js';
import { SecondFactorService } from './second-factor.service.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

@Module({
  imports: [UsersModule, MongooseModule.forFeature([{ name: SECOND_FACTOR_MODEL, schema: secondFactorSchema }])],
  controllers: [SecondFactorController],
  providers: [SecondFactorsRepository, SecondFactorCodesService, SecondFactorService],
  exports: [SecondFactorService],
})
export class SecondFactorModule {
  constructor(records: SealedRecordsRegistry, repository: SecondFactorsRepository, vault: SecondFactorCodesService) {
    records.add({ kind: 'second factors', repository, vault });
  }
}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { MembershipsModule } from '../../shops/memberships/memberships.module.js';
import { PreferencesController } from './preferences.controller.js';
import { PreferencesRepository } from './preferences.repository.js';
import { PREFERENCES_MODEL, preferencesSchema } from './preferences.schema.js';
import { PreferencesService } from './preferences.service.js';

@Module({
  imports: [MembershipsModule, MongooseModule.forFeature([{ name: PREFERENCES_MODEL, schema: preferencesSchema }])],
  controllers: [PreferencesController],
  providers: [PreferencesRepository, PreferencesService],
  exports: [PreferencesService],
})
export class PreferencesModule {}

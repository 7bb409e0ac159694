import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { MOVEMENT_MODEL, movementSchema } from './movement.schema.js';
import { MovementsController } from './movements.controller.js';
import { MovementsRepository } from './movements.repository.js';
import { MovementsService } from './movements.service.js';

@Module({
  imports: [ShopsModule, MongooseModule.forFeature([{ name: MOVEMENT_MODEL, schema: movementSchema }])],
  controllers: [MovementsController],
  providers: [MovementsRepository, MovementsService],
  exports: [MovementsService],
})
export class MovementsModule {
  constructor(personalData: PersonalDataRegistry, movements: MovementsRepository) {
    personalData.add(movements.personalData());
  }
}

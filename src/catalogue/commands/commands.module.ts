import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { COMMAND_LIST_MODEL, commandListSchema } from './command-list.schema.js';
import { CommandListsRepository } from './command-lists.repository.js';
import { CommandsService } from './commands.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: COMMAND_LIST_MODEL, schema: commandListSchema }])],
  providers: [CommandListsRepository, CommandsService],
  exports: [CommandsService],
})
export class CommandsModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PasswordHasher } from './password-hasher.js';
import { USER_MODEL, userSchema } from './user.schema.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: USER_MODEL, schema: userSchema }])],
  providers: [UsersRepository, UsersService, PasswordHasher],
  exports: [UsersService],
})
export class UsersModule {}

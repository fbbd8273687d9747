from heroacademy import kernel_cache

kernel_cache.use()

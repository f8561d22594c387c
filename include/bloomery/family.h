/* The C API of filters that grow or forget, of shrinking and of comparing. Part of bloomery.h, which includes it. */
#ifndef BLOOMERY_FAMILY_H
#define BLOOMERY_FAMILY_H

#include "bloomery.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bloomery_growth {
  size_t struct_size;
  double fpr;             /* promised for all keys together, however many; 1e-12 .. below 1 */
  uint64_t remember_keys; /* as long as there are no more, they are kept exactly: 16 bytes each, up to 32 in memory;
                             the first segment then takes 40 bytes for each, 64 MiB at most */
  double most_memory;     /* with a new segment, of a filter planned for the keys there are then, if that is more than
                             the first segment takes: 2 .. 64 */
} bloomery_growth;
#define BLOOMERY_GROWTH_INIT \
  { sizeof(bloomery_growth), 0.01, 1000000, 2.6 }

/* An empty filter for any number of keys. growth and hasher may be NULL: as in their INIT. */
BLOOMERY_API bloomery_status bloomery_create_growing(const bloomery_growth* growth, const bloomery_hasher* hasher,
                                                     bloomery_filter** out, bloomery_error* error);

/* Windowed (a plan with keys: the window): forgets the oldest generation now. Errors: NOT_SUPPORTED. Cost: O(size). */
BLOOMERY_API bloomery_status bloomery_begin_generation(bloomery_filter* filter, bloomery_error* error);

/* A writable filter of the same keys, 1 / by of the size, at a higher rate. Errors: INVALID_ARGUMENT (by does not divide
 * the bits of a classic filter, the lines of a blocked one), NOT_SUPPORTED (other kinds, several segments), NO_MEMORY. */
BLOOMERY_API bloomery_status bloomery_shrink(const bloomery_filter* filter, uint64_t by, bloomery_filter** out,
                                             bloomery_error* error);

typedef struct bloomery_estimate { /* lies between low and high with the confidence that was asked for */
  double value, low, high;
} bloomery_estimate;

typedef struct bloomery_comparison {
  size_t struct_size;
  bloomery_estimate keys_a, keys_b;               /* distinct keys */
  bloomery_estimate keys_in_either, keys_in_both; /* of the union and of the intersection */
  bloomery_estimate jaccard;                      /* both / either */
} bloomery_comparison;
#define BLOOMERY_COMPARISON_INIT \
  { sizeof(bloomery_comparison), {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0} }

/* What two filters have in common, estimated from their bits. confidence: above 0, below 1. Errors: INVALID_ARGUMENT,
 * INCOMPATIBLE (naming the field that differs), NOT_SUPPORTED (static, windowed, several segments), FULL (every bit of
 * one is set), NO_MEMORY. Cost: O(size). */
BLOOMERY_API bloomery_status bloomery_compare(const bloomery_filter* a, const bloomery_filter* b, double confidence,
                                              bloomery_comparison* out, bloomery_error* error);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* BLOOMERY_FAMILY_H */

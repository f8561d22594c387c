/* The filters of the reference article, bit for bit, from C: what article.cpp does, line for line. */
#include <bloomery.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const fruits[] = {"apple", "banana", "orange", "grape",  "kiwi",
                                     "mango", "peach",  "pear",   "plum",   "cherry"};

static void or_exit(bloomery_status status, const bloomery_error* error) {
  if (status == BLOOMERY_OK) return;
  fprintf(stderr, "%s\n", error->message);
  exit(1);
}

static bloomery_filter* make_filter(const bloomery_plan* plan, int fruit_count) {
  bloomery_hasher murmur3 = BLOOMERY_HASHER_INIT;
  bloomery_filter* filter;
  bloomery_error error;
  murmur3.id = BLOOMERY_HASH_MURMUR3;
  or_exit(bloomery_create_planned(plan, &murmur3, &filter, &error), &error);
  for (int i = 0; i < fruit_count; ++i)
    or_exit(bloomery_insert(filter, fruits[i], strlen(fruits[i]), NULL, &error), &error);
  return filter;
}

static void print_statistics(const bloomery_filter* filter, const bloomery_plan* plan) {
  bloomery_info info = BLOOMERY_INFO_INIT;
  bloomery_error error;
  or_exit(bloomery_get_info(filter, &info, &error), &error);
  const double hashes = plan->shape.probes;
  const double fpr = pow(1 - exp(-hashes * (double)info.keys_offered / (double)plan->shape.cells), hashes);
  printf("{\n  \"size\": %llu,\n  \"hash_count\": %u,\n  \"items_added\": %llu,\n",
         (unsigned long long)plan->shape.cells, plan->shape.probes, (unsigned long long)info.keys_offered);
  printf("  \"fill_ratio\": %.6f,\n  \"estimated_fp_rate\": %.6f\n}\n", bloomery_fill_ratio(filter), fpr);
}

static const char* answer(const bloomery_filter* filter, const char* key) {
  return bloomery_may_contain(filter, key, strlen(key)) ? "true" : "false";
}

int main(void) {
  bloomery_plan_request want = BLOOMERY_PLAN_REQUEST_INIT;
  bloomery_plan plan = BLOOMERY_PLAN_INIT;
  bloomery_error error;
  want.kind = BLOOMERY_KIND_CLASSIC;
  want.keys = 1000;
  want.fpr = 0.01;
  want.article = 1;
  or_exit(bloomery_make_plan(&want, &plan, &error), &error);
  printf("Optimal size: %llu\nOptimal hash count: %u\n\n", (unsigned long long)plan.shape.cells, plan.shape.probes);
  bloomery_filter* filter = make_filter(&plan, 7);
  printf("'watermelon' in filter: %s\nStatistics: ", answer(filter, "watermelon"));
  print_statistics(filter, &plan);
  bloomery_free(filter);

  want.keys = 0;
  want.fpr = 0;
  want.bits = 20;
  want.hashes = 2;
  or_exit(bloomery_make_plan(&want, &plan, &error), &error);
  filter = make_filter(&plan, 10);
  printf("\nSmall filter: 'watermelon' in filter: %s\nSmall filter statistics: ", answer(filter, "watermelon"));
  print_statistics(filter, &plan);
  bloomery_free(filter);
  return 0;
}

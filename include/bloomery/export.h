/* What the library shows to programs: C and C++. Everything without this mark stays inside. */
#ifndef BLOOMERY_EXPORT_H
#define BLOOMERY_EXPORT_H

/* The version of these headers; bloomery_version() is that of the library at run time. */
#define BLOOMERY_VERSION_MAJOR 0
#define BLOOMERY_VERSION_MINOR 1
#define BLOOMERY_VERSION_PATCH 0
#define BLOOMERY_VERSION "0.1.0"

#ifndef BLOOMERY_API
#define BLOOMERY_API __attribute__((visibility("default")))
#endif
/* A part of a class that is shown, but not for programs. */
#define BLOOMERY_LOCAL __attribute__((visibility("hidden")))

#endif

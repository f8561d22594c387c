# The Debian packages: bloomery (tool), libbloomery1 (runtime), libbloomery-dev (development), python3-bloomery (python),
# bloomery-redis (redis).
# scripts/package makes them.
string(TIMESTAMP changelog_date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, where it is set
configure_file(packaging/debian/changelog.in ${PROJECT_BINARY_DIR}/changelog @ONLY)
find_program(GZIP gzip REQUIRED)

set(packages "runtime libbloomery1" "development libbloomery-dev" "tool bloomery")
set(CPACK_COMPONENTS_ALL runtime development tool)
if(BLOOMERY_PYTHON)
  list(APPEND packages "python python3-bloomery")
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(BLOOMERY_REDIS)
  list(APPEND packages "redis bloomery-redis")
  list(APPEND CPACK_COMPONENTS_ALL redis)
endif()
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/changelog.gz
                   COMMAND ${GZIP} -9nkf ${PROJECT_BINARY_DIR}/changelog DEPENDS ${PROJECT_BINARY_DIR}/changelog)
add_custom_target(package_changelog ALL DEPENDS ${PROJECT_BINARY_DIR}/changelog.gz)
foreach(package ${packages})
  separate_arguments(package)
  list(GET package 0 component)
  list(GET package 1 name)
  install(FILES packaging/debian/copyright ${PROJECT_BINARY_DIR}/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} COMPONENT ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_NAME bloomery)
set(CPACK_PACKAGE_CONTACT "bloomery maintainers <maintainers@bloomery.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "The shared library, for C++20 and C: sets that answer \"certainly not\"
or \"maybe\" in a few bits per key. Filters are saved in files, mapped and
asked in place, merged and checked.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libbloomery1 (= ${PROJECT_VERSION}), libhwy-dev, libxxhash-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Headers for C++20 and C, the static library, and what find_package of CMake
and pkg-config need: for programs that use libbloomery1.")

set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "gnuplot-nox")  # charts of `bloomery experiment`
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})  # where the tool's libbloomery.so.1 is
if(BLOOMERY_SHARED_TOOL)
  set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS "libbloomery1 (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "libbloomery1 (= ${PROJECT_VERSION}), ")
endif()
set(CPACK_DEBIAN_TOOL_DESCRIPTION "Drops repeated lines without sorting, and builds, asks and checks Bloom
filters in files: sets that answer \"certainly not\" or \"maybe\" in a few
bits per line.")

if(BLOOMERY_PYTHON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  # The extension is for one minor version of the interpreter.
  math(EXPR next_minor "${python_minor} + 1")
  string(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
         "python3 (>= 3.${python_minor}~), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "The Python module: sets that answer \"certainly not\" or \"maybe\" in a few
bits per key, for strings, bytes, integers and numpy arrays of them.")
endif()

if(BLOOMERY_REDIS)
  # Where Debian's own modules for redis-server are. The server refuses one that may not be executed.
  install(TARGETS bloomery_module LIBRARY DESTINATION lib/redis/modules COMPONENT redis
          PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  install(FILES docs/redis.md DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/bloomery-redis COMPONENT redis)
  set(CPACK_DEBIAN_REDIS_PACKAGE_SECTION database)
  set(CPACK_DEBIAN_REDIS_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_REDIS_PACKAGE_DEPENDS "redis-server (>= 5:7.0)")
  set(CPACK_DEBIAN_REDIS_DESCRIPTION "The module for redis-server: the commands and the data of RedisBloom, byte for
byte. Load it by a line in redis.conf: loadmodule
/usr/lib/redis/modules/bloomery.so")
endif()
include(CPack)

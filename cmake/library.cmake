# The shared library: the objects of the static one. Its soname is the ABI's version, not the project's.
add_library(bloomery_shared SHARED $<TARGET_OBJECTS:bloomery>)
set_target_properties(bloomery_shared PROPERTIES OUTPUT_NAME bloomery SOVERSION 1 EXPORT_NAME bloomery)
set_target_properties(bloomery PROPERTIES EXPORT_NAME static)
target_include_directories(bloomery_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                           $<INSTALL_INTERFACE:include>)
target_compile_features(bloomery_shared INTERFACE cxx_std_20)
get_target_property(dependencies bloomery LINK_LIBRARIES)
target_link_libraries(bloomery_shared PRIVATE ${dependencies})

# Only what is marked BLOOMERY_API leaves it: not even the templates of the standard library that it instantiates.
set(version_script ${PROJECT_SOURCE_DIR}/src/capi/exports.map)
target_link_options(bloomery_shared PRIVATE LINKER:--version-script=${version_script})
set_target_properties(bloomery_shared PROPERTIES LINK_DEPENDS ${version_script})
if(NOT BLOOMERY_SANITIZE)
  target_link_options(bloomery_shared PRIVATE LINKER:-z,defs)
endif()
